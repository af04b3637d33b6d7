"""From text to sentences, tokens and words: training and applying tokenizers."""
