"""What the errors mean that programs of this field meet most: a table, and what applies it."""
