"""Tests of the pictures: what everybody can see in them, and what nobody may."""
