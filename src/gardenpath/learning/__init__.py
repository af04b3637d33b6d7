"""Learning: the averaged perceptron and the training loop."""
