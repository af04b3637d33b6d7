"""Margins: by how much the best score won. Confidence is computed from them.

INFINITY means that there was no alternative, and NAN that the margin is unknown.
"""

cdef struct TagMargins:        # the score of a word's tag minus
    float upos                 # the best score of a tag with another UPOS
    float tag                  # the best score of any other tag

cdef struct ArcMargins:
    float head                 # of the transition that built the word's arc, over the other valid transitions
    float label                # of its label, over the other labels of that transition
    float focus                # the smallest margin of the transitions that were chosen while the word was in focus
