"""For the tests of a package that brings a rule system: `conforms("duel")` checks all of it."""

from tests.conforms import conforms as conforms
