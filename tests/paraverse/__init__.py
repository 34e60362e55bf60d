"""Paraverse, rule by rule."""
