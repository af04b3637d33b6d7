"""gardenpath inside what people already use."""
