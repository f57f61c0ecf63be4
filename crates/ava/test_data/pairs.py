"""Pairs of texts on which two implementations of a token-set ratio are most likely to differ."""

import random

WORDS = (
    "an a the is of subclass class type unit area acre Acre ACRE gel electrophoresis online account gaming agent "
    "mitochondrion cell cells part part_of has-part (R)-lactate 2-dimensional 4,046.856 x x. , . - -- it's 'an"
).split()
# Every separator of Python's str.split, the two that one-byte strings do not have, and some that only look like one.
SPACES = [chr(c) for c in [*range(0x09, 0x0E), *range(0x1C, 0x21), 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B)]]
SPACES += [chr(c) for c in [0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0x200B, 0xFEFF, 0x180E, 0x0B, 0x00, 0x7F]]
ALPHABETS = [
    "ab",
    "abcdefghij ",
    "éèêëàßÿþ×÷µªº²³½\xa0\x85\xad ",
    "αβγδεΩΣσςİıſKÅ ",
    "漢字かなカナ한국어ไทยहिन्दी ",
    "🧬🧪👩‍🔬𝔘𝕏𝟘\U000e0001 ",
    "ÅåÅǺfifl①Ⅷ٣੩ ",
    "".join(SPACES) + "ab",
]


def sentence(source, count):
    return " ".join(source.choice(WORDS) for _ in range(count))


def from_alphabet(source, longest):
    alphabet = source.choice(ALPHABETS)
    return "".join(source.choice(alphabet) for _ in range(source.randrange(longest + 1)))


def mixed(source, longest):
    text = ""
    for _ in range(source.randrange(longest + 1)):
        text += source.choice([source.choice(WORDS), source.choice(SPACES), source.choice(source.choice(ALPHABETS)), " "])
    return text


def anywhere(source, longest):
    codes = (source.randrange(0x110000 - 0x800) for _ in range(source.randrange(longest + 1)))
    return "".join(chr(code if code < 0xD800 else code + 0x800) for code in codes)


def edited(source, text):
    words = text.split(" ")
    for _ in range(source.randrange(1, 4)):
        place = source.randrange(len(words))
        match source.randrange(6):
            case 0:
                words[place] = source.choice(WORDS)
            case 1:
                words.insert(place, source.choice(words))
            case 2:
                words[place] = words[place].swapcase()
            case 3:
                source.shuffle(words)
            case 4:
                words[place] = words[place][::-1] + source.choice(SPACES)
            case 5:
                words[place : place + 1] = []
                words = words or [""]
    return " ".join(words)


def pair(source):
    match source.randrange(12):
        case 0:
            return "", source.choice(["", " ", "\xa0", "\u3000", "a", sentence(source, 3)])
        case 1:
            return sentence(source, 12), sentence(source, 12)
        case 2 | 3 | 4:
            text = sentence(source, source.randrange(1, 25))
            return text, edited(source, text)
        case 5:
            # Beyond 64 symbols on both sides, around the borders of the blocks.
            length = source.choice([63, 64, 65, 127, 128, 129, 200, 400])
            alphabet = source.choice(["ab", "abcdef", "aé漢", "αβγ"])
            make = lambda: "".join(source.choice(alphabet) for _ in range(length + source.randrange(-1, 2)))
            return make(), make()
        case 6:
            return from_alphabet(source, 30), from_alphabet(source, 30)
        case 7:
            text = from_alphabet(source, 60)
            return text, edited(source, text)
        case 8:
            return mixed(source, 20), mixed(source, 20)
        case 9:
            text = mixed(source, 20)
            return text, edited(source, text)
        case 10:
            return anywhere(source, 12), anywhere(source, 12)
        case _:
            word = source.choice(WORDS)
            return " ".join([word] * source.randrange(1, 9)), " ".join([word, *[source.choice(WORDS)] * source.randrange(4)])


def pairs(count, seed):
    source = random.Random(seed)
    for _ in range(count):
        first, second = pair(source)
        yield (first, second) if source.randrange(2) else (second, first)
