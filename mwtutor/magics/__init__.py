"""The magics: they parse the line, call the API and show the result. No state, no logic."""
