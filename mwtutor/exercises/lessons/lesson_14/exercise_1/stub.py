options = ""
env = {}
