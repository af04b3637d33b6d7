PROPERTY_NAMES: tuple[str, ...]
