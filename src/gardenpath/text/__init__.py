"""From raw text to words with tags: segmenter, tokenizer, tagger, word clusters."""
