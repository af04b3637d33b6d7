"""Feature templates, encoded sentences and word clusters."""
