"""The words of the sample treebank by use. Words to choose from are strings separated by spaces."""

from __future__ import annotations

NOUNS = {
    "person": "teacher doctor farmer sailor soldier painter singer lawyer nurse judge baker child woman man girl boy "
              "uncle thief king neighbour artist guard cook",
    "animal": "dog cat horse bird fox sheep mouse rabbit",
    "thing": "box lamp chair coat mirror window door clock piano bottle ring basket curtain engine boat car bicycle "
             "photograph umbrella train ship",
    "text": "letter book story report song poem novel message map",
    "food": "apple cake soup egg potato sandwich pie orange",
    "place": "garden kitchen village city harbour island forest library station office school market house church "
             "valley river field",
    "tool": "telescope knife hammer key spoon stick brush rope camera",
    "mark": "hat beard scar scarf tattoo moustache accent limp",
    "idea": "idea rumour plan answer question secret promise mistake strike accident",
}
IRREGULAR_PLURALS = {
    "child": "children", "woman": "women", "man": "men", "sheep": "sheep", "mouse": "mice", "knife": "knives",
    "thief": "thieves", "scarf": "scarves",
}
MODIFYING_NOUNS = {
    "thing": "kitchen garden office leather silver toy", "text": "school police summer love",
    "place": "village stone summer mountain",
}

NAMES = "Mary Anna Julia Sophie Clara Ingrid Nora Helen John Peter Tom Henrik Oscar Daniel Victor Paul"
FAMILY = "Carter Hansen Novak Rossi Brown Fischer Lindqvist"
TOWNS = "Paris Lisbon Oslo Prague Vienna Athens"

ADJECTIVES = {
    "person": "old young tall clever brave tired angry quiet honest famous lonely happy",
    "animal": "old young hungry brown wild small lazy",
    "thing": "old heavy broken small expensive green empty wooden beautiful",
    "text": "long short strange famous boring new beautiful",
    "food": "fresh cold sweet large ripe",
    "place": "old small quiet dark large famous empty",
    "tool": "heavy sharp rusty long new",
    "mark": "strange red long ugly",
    "idea": "strange good bad important new terrible",
}
STATES = "tired ready happy angry proud afraid sick late famous certain"

# Verbs and the kinds of their objects.
TRANSITIVE = [
    "see: person animal thing place", "find: thing animal text tool", "watch: person animal place",
    "paint: thing place animal person", "break: thing tool", "carry: thing food tool animal", "steal: thing food tool",
    "buy: thing food tool text", "sell: thing food text", "write: text", "read: text", "eat: food", "cook: food",
    "visit: person place", "help: person animal", "follow: person animal", "admire: person place text",
    "hide: thing text tool", "clean: thing place tool", "forget: person idea text", "discuss: idea text",
    "photograph: person animal place", "repair: thing tool", "meet: person", "chase: animal person",
    "draw: place animal thing", "explain: idea text", "invite: person", "describe: place idea person",
    "destroy: text thing idea", "protect: place person animal", "love: person animal place food",
]
# Verbs that animals can be the subject of.
ANIMAL_VERBS = "see find watch chase follow eat hide protect love steal sleep fall wait disappear swim arrive cry"
INTRANSITIVE = "arrive sleep laugh fall sing wait work disappear swim cry smile dance leave travel"
DITRANSITIVE = {"give": "to", "send": "to", "show": "to", "offer": "to", "sell": "to", "bake": "for", "find": "for"}
# Verbs with a fixed preposition, and the kind of its noun.
PREPOSITIONAL = [
    "talk to person", "look at thing", "wait for person", "listen to person", "live in place", "laugh at person",
    "depend on person", "think about idea", "work with person", "dream of place",
]
PARTICLE = ["pick up thing", "throw away text", "turn off thing", "look up text", "bring back tool", "give up idea"]
SAYING = "say think believe know hope claim suspect notice"
WANTING = "want try hope refuse begin decide promise"
MAKING = "see hear watch let"
ASKING = "ask tell force persuade allow"

IRREGULAR_VERBS = {
    "see": "saw seen", "find": "found found", "break": "broke broken", "steal": "stole stolen", "buy": "bought bought",
    "sell": "sold sold", "write": "wrote written", "read": "read read", "eat": "ate eaten", "hide": "hid hidden",
    "forget": "forgot forgotten", "meet": "met met", "draw": "drew drawn", "sleep": "slept slept",
    "fall": "fell fallen", "sing": "sang sung", "swim": "swam swum", "leave": "left left", "give": "gave given",
    "send": "sent sent", "show": "showed shown", "throw": "threw thrown", "bring": "brought brought",
    "say": "said said", "think": "thought thought", "know": "knew known", "begin": "began begun", "hear": "heard heard",
    "let": "let let", "tell": "told told", "drive": "drove driven", "ride": "rode ridden",
}
DOUBLING = {"travel", "swim", "begin", "forget", "let", "man", "ship"}

BEFORE_VERB = "often never always quickly slowly already secretly really"
AFTER_VERB = "yesterday today again early quietly slowly carefully outside loudly together"
MODALS = "will can could might should must would may"
NEGATED_MODALS = {"will": "wo", "can": "ca", "could": "could", "should": "should", "would": "would"}
DAYS = "Monday Tuesday Friday Sunday"
MONTHS = "May June October winter spring"
NUMBERS = "two three four seven ten twelve"
PLACE_PREPOSITIONS = "in near behind beside"
SUBORDINATORS = "because when while before after although if"

# Garden paths: adjectives used as nouns for people; verbs that look like nouns, with their objects; verbs whose object
# seems to be the subject of the next clause; participles that look like the past tense.
RICH = "old young rich poor brave strong sick"
MANNING = [
    "man: boat station ship", "guard: harbour church house", "staff: office library school", "ship: engine piano chair",
    "cook: soup potato egg", "paint: house door window", "water: garden field horse", "train: horse dog soldier",
]
DRESSING = [
    "dress: child", "cook: potato soup", "paint: window", "wash: dog horse", "bathe: child", "hunt: fox rabbit",
    "drive: car", "ride: horse", "eat: sandwich cake", "read: report novel",
]
HAPPENING = {
    "person": "cry sleep laugh arrive", "animal": "disappear sleep wait", "thing": "fall disappear",
    "food": "burn boil fall", "text": "disappear fall",
}
RACING = [
    "race horse past barn", "float boat down river", "send soldier to valley", "push car behind house",
    "walk dog near station", "tell child about accident",
]
