"""The averaged perceptron: features, weights, scoring and training."""
