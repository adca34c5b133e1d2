# Longbox
# SPDX-License-Identifier: MIT
"""The words that go with each drawing: title, alt text, transcript and explanation.

The records have the form of xkcd's API, with the oddities that a reader of it meets: entities and bare `&`
and `<` in titles, a lossy `safe_title`, HTML in `news`, `extra_parts` on an interactive comic.
"""

import json
from dataclasses import dataclass, field
from datetime import date, timedelta

HOST = "https://imgs.xkcd.com/comics/"
FIRST_DAY = date(2025, 9, 1)  # a Monday; comics come on Mondays, Wednesdays and Fridays


@dataclass(frozen=True)
class Record:
    """One comic's words."""

    slug: str
    title: str
    alt: str
    transcript: str
    explanation: str
    ending: str = "png"
    safe_title: str | None = None
    link: str = ""
    news: str = ""
    extra_parts: dict[str, str] | None = field(default=None)

    def api(self, number: int) -> str:
        """The record as xkcd's API would send it."""
        weeks, day_of_week = divmod(number - 1, 3)
        day = FIRST_DAY + timedelta(days=7 * weeks + 2 * day_of_week)
        record = {
            "month": str(day.month), "num": number, "link": self.link, "year": str(day.year),
            "news": self.news,
            "safe_title": self.title if self.safe_title is None else self.safe_title,
            "transcript": f"{self.transcript}\n{{{{Title text: {self.alt}}}}}",
            "alt": self.alt, "img": f"{HOST}sample_{self.slug}.{self.ending}", "title": self.title,
        }
        if self.extra_parts is not None:
            record["extra_parts"] = self.extra_parts
        record["day"] = str(day.day)
        return json.dumps(record)


RECORDS = [
    Record(
        "this_way_up", "This Way Up",
        "If this picture is lying on its side, your viewer has sided with the box.",
        "[[Pim, who wears a bobble hat, points at a large box. The arrow on it, marked THIS WAY UP, points "
        "to the right. Oda, who has a bun, a scarf and firm opinions, stands on the other side.]]\n"
        "Pim: It's lying on its side.\nOda: The box was packed by experts. Turn the room.",
        "Pim has noticed that the arrow on the box does not point up. Oda trusts the experts who drew the "
        "arrow, and concludes that the ''room'' has been put down wrongly.\n\n"
        "The file tells the same joke: the picture is stored lying on its side, with an {{w|Exif|Exif}} "
        "note asking the viewer to turn it. A viewer that ignores the note shows the box the right way up, "
        "and everyone else lying down. The box returns in [[16: Miscellaneous]].",
        ending="jpg"),
    Record(
        "rests", "Rests",
        "The second movement has no triangle in it. It is thought to be the most frightening music ever "
        "written.",
        "[[A chart titled CONCERTO FOR TRIANGLE: THE SOLOIST'S PULSE. The vertical axis runs from ASLEEP "
        "by way of CALM and STAIRS to LION; the horizontal one shows bars 1, 100, 211, 327, the end, and 3 "
        "a.m.]]\n"
        "[[The line starts a little above calm, ((walks on, nods)), sinks ((counting nicely)) and is "
        "nearly asleep by bar 200 ((lunch)). At bar 211 it leaps up ((was that 211 or 212?)) and peaks "
        "above LION at bar 327.]]\n<<TING>>\n"
        "[[It falls to calm ((bliss)), then climbs again without end ((was it too loud?)). Tilda stands in "
        "the corner with a triangle, looking worried.]]",
        "Percussionists in an orchestra may have to count hundreds of bars of {{w|Rest (music)|rests}} "
        "before they play a single note. Losing count of them is the worst thing that can happen, apart "
        "from coming in.\n\n"
        "The pulse is measured on a practical scale: ''asleep'', ''calm'', ''stairs'' and ''lion''. It "
        "never comes back down, because at 3 a.m. the soloist is still wondering how loud it was. For "
        "another chart without units see [[6: The Pen Cycle]]."),
    Record(
        "deja_vu", "D&eacute;j&agrave; Vu",
        "There are two hard things: naming this comic, and remembering whether I have told you this "
        "already.",
        "[[Professor Wren, bearded, and Tilda, curly, stand on either side of a small table with a "
        "steaming teapot.]]\nWren: Have we had this conversation before?\nTilda: Yes. It's cached.\n"
        "[[The same picture. The tea no longer steams.]]\nWren: Have we had this conversation before?\n"
        "Tilda: Yes. It's cached.\n[[Wren looks worried.]]\n"
        "Wren: But what if the answer has changed since?\nTilda: ...\n"
        "[[The same picture as the second one.]]\nWren: Have we had this conversation before?\n"
        "Tilda: Yes. It's cached.",
        "A {{w|Cache (computing)|cache}} keeps an answer so that it need not be worked out again. The "
        "first time Wren asks, the right answer would have been ''no'', but Tilda's cache has its own idea "
        "of time.\n\n"
        "The third panel names the real trouble, knowing when a stored answer is out of date. It is not in "
        "the cache, so it gets no answer, and the conversation is served again from the start. Only the "
        "tea knows how much time has gone by.",
        safe_title="Dj Vu"),
    Record(
        "terra_legacia", "Terra Legacia",
        "The compass is right. It is the needle that was renamed.",
        "[[An old map of an island in a sea of small waves. A scroll says: TERRA LEGACIA, SURVEYED BY "
        "PERSONS WHO HAVE SINCE LEFT.]]\n((Mt. Refactor (taller than it looks).))\n"
        "((Deprecated Lands (still inhabited).))\n((TODO Forest (planted 2009).))\n"
        "((Config Swamp (nobody ever returns).))\n((Memory Leak: a lake that drains into the sea.))\n"
        "((Port 8080.))\n((Tests (lit on weekdays): a lighthouse.))\n"
        "((The Workaround: a dashed track across the whole island, to an X.))\n"
        "((Isles of Leftpad: seven specks.))\n[[A sea serpent.]]\n((Here be globals.))\n"
        "[[A small ship, NEW HIRE, comes in from the east. The compass points to MAIN, DEV, OLD and OLD2.]]",
        "A map of a {{w|legacy system|legacy program}}, drawn as mapmakers drew coasts they had only heard "
        "about. Those who knew the country ''have since left''.\n\n"
        "The lighthouse is the test suite. The swamp is the configuration. The compass shows the branches "
        "of the repository in place of north, east, south and west, so that it is always possible to say "
        "where one is, and never which way is up (compare [[1: This Way Up]])."),
    Record(
        "dear_firstname", "Dear <FirstName>",
        "P.S. Please find <attachment> attached. I put a lot of <feeling> into it.",
        "[[Marlow, with a cap and a moustache, reads a letter aloud to Tilda.]]\n"
        "Marlow: A letter! 'Dear <FirstName>, you are not just a number to us.'\n"
        "Tilda: Oh dear. Are you hurt?\nMarlow: No. I'm writing back.\n"
        "[[A hand in a checked sleeve is writing a letter.]]\n"
        "Letter: Dear <Company>, I often lie awake thinking of <your product>. Forever yours, <LastNam",
        "In a {{w|mail merge}} one text is sent to many people and each person's name takes the place of a "
        "mark such as ''<FirstName>''. When that step fails, the most personal of letters turns out to be "
        "addressed to nobody.\n\n"
        "Marlow answers in kind.",
        safe_title="Dear "),
    Record(
        "pen_cycle", "The Pen Cycle",
        "Pens on little chains at the bank are glaciers: a very old supply, out of reach of the cycle.",
        "[[A landscape in section, after the water cycle of a school book.]]\n[[Pens rise from desks.]]\n"
        "((Evaporation.))\nPim: Has anyone seen my pen?\n[[A cloud.]]\n"
        "((Condensation in other people's pockets.))\n[[Pens rain on a sofa on a hill.]]\n"
        "((Precipitation into sofas.))\n((Run-off)) [[into a lake of pens,]] ((meeting room.))\n"
        "[[Under it all lies a bed of pens.]]\n((Groundwater: the bottom of every bag.))",
        "No pen is ever used up; it only moves on. The picture follows the {{w|water cycle}} as it hangs "
        "in every classroom.\n\n"
        "''Groundwater'' is by far the largest store. How deep it lies can be seen in [[13: The Drawer]]."),
    Record(
        "train_of_thought", "Train of Thought",
        "The buffet car serves soup.",
        "[[A very wide picture. Oda and Pim stand at the left.]]\nOda: What shall we have? Soup?\n"
        "[[Pim looks up and thinks. The thought becomes the smoke of a steam engine.]]\n<<HMM>>\n"
        "[[The engine pulls six carriages, each with a thought on its side.]]\n"
        "((Soup needs spoons. / Who made the first spoon? / It was a shell. / So snails live in spoons. / "
        "Can a snail get homesick? / It is never not home.))\n"
        "[[A snail rides on the fifth carriage. At the right end of the train stand Oda and Pim.]]\n"
        "Oda: ...Well? Soup?\n[[Pim is crying a little.]]\nPim: I want to go home.",
        "A ''train of thought'' is drawn as a train. Each carriage follows from the one before, and the "
        "last has nothing to do with soup.\n\n"
        "The question at the left takes a moment to ask; the journey takes six carriages. Pim is, as far "
        "as anyone can tell, at home already, as are all {{w|snail|snails}}."),
    Record(
        "steady_state", "Steady State",
        "The last one per cent takes half of the time and all of the milk.",
        "[[An animation. A tank is labelled LOADING, 99 PER CENT. At the left Pim pours from a jug that is "
        "never empty. At the right the cat drinks through a straw. The level trembles, and stays.]]\n"
        "<<SLURP>>\n<<SLURP>>",
        "A {{w|Progress indicator|progress bar}} is often stuck at ninety-nine per cent. Here is why: what "
        "is poured in at one end is drunk at the other, so the level is in a {{w|steady state}}.\n\n"
        "The cat is called Ampersand, after the shape of the tail. The picture loops without end, which is "
        "''the point''.",
        ending="gif"),
    Record(
        "transparency", "Transparency",
        "I tried to put it up for sale, but people keep buying the wall.",
        "[[Oda shows Pim an empty frame on an easel. The cat sits between them.]]\n"
        "Oda: I call it 'Whatever Is Behind It'.\nPim: It goes with everything.",
        "The painting is empty, and in the file it really is: the picture has a {{w|Alpha "
        "compositing|transparent}} background, so that the page shows through the frame.\n\n"
        "Pim's remark is true in the narrowest sense."),
    Record(
        "new_constellations", "New Constellations",
        "Under a dark enough sky you can see the whole charger, and, very faintly, what it is for.",
        "[[Night. Oda, Pim and the cat stand on a hill with a telescope. Stars are joined to figures.]]\n"
        "((The Cursor. The Great Paperclip. The Lesser Charger. The Odd Sock. The Open Tab. The Lost "
        "Bracket.))\n[[One star is brighter than all the others.]]\nPim: What's the bright one?\n"
        "Oda: A satellite. It sells shoes.",
        "The old {{w|constellation|constellations}} show what people had around them: bears, ploughs, "
        "crabs. These show what people have around them now.\n\n"
        "''The Lost Bracket'' is an opening one. Somewhere in the southern sky its partner is still missed "
        "by a compiler."),
    Record(
        "q_and_a", "Q&A",
        "This is less of a title text and more of a sandwich.",
        "[[Professor Wren stands on a stage by a blackboard: A = B, B = C, Q.E.D.]]\n"
        "Wren: We have time for one question.\n[[A hand is up in the audience.]]\n"
        "Voice: This is less of a question and more of a comment.\n"
        "[[Wren leaves by the door marked EXIT, a sandwich in his hand.]]\n"
        "Wren: Then my answer is less of an answer and more of a sandwich.",
        "After a talk there is time for questions, and somebody always has a ''comment''. Wren meets like "
        "with like.\n\n"
        "The proof on the board shows no more than that A equals C, by {{w|Transitive "
        "relation|transitivity}}. Nobody had a question about it.",
        safe_title="Q"),
    Record(
        "leaves", "Leaves",
        "Not shown: French (takes itself), tobacco (bad habit), maternity (busy).",
        "[[A page of a field guide, in colour. Nine leaves in three rows.]]\n"
        "((Oak, Quercus robur. Ginkgo, Ginkgo biloba. Tea, Camellia cum lacte: a cup with a tea bag.))\n"
        "((Loose, Folium fugitivum: sheets from a ring binder. Gold, Aurum expensivum. Table, Mensa "
        "extendens: a table that is being made longer.))\n"
        "((Binary tree, Radix null null: four leaves at the nodes, the root on top. Annual, Otium XXV "
        "dierum: a deck chair on a beach. Maple, Acer (do not eat).))",
        "A ''leaf'' may grow on a tree, be bound in a book, be let into a table, be beaten from gold, hang "
        "from a node of a {{w|binary tree}} or, in the plural and with another singular, be spent at the "
        "sea.\n\n"
        "The Latin is best not looked at closely. Computer scientists draw their trees with the root on "
        "top, where no botanist would look for it.",
        link="https://en.wikipedia.org/wiki/Leaf"),
    Record(
        "the_drawer", "The Drawer",
        "Sonar shows a second pair of scissors a hundred metres further down, using the tape.",
        "[[A very tall picture. Oda and Pim stand on a kitchen counter. Pim wears a diving helmet.]]\n"
        "Oda: The scissors are in the drawer.\nPim: How far in?\n"
        "[[Below them the drawer, MISC., goes down and down, past a scale of depth, from light into "
        "darkness. A rope leads down all the way.]]\n"
        "((Menus: restaurants closed in 2011. Batteries: full or empty, science cannot say. 10 cm. Keys: "
        "41; known locks: 0. Paper clips: they swim in shoals. 25 cm. Birthday candles: used once, nobody "
        "is that age now. Cable kelp: every end fits nothing. 1 m.))\n"
        "((Jelly chargers: phones extinct since 2006. Instructions: the thing was never found. 3 m. Hex "
        "keys: this is where they spawn. 10 m.))\n[[Pim dives by.]]\nPim: I can see my house from here.\n"
        "((The wreck of the 'Important Letter'. 40 m. End of daylight: people stop looking here. Key-ring "
        "torch: still works, still hunting. 90 m. Coins of countries that are not there any more. 200 m. "
        "Gloves: all left. Rubber band ball: do not feed. 500 m. Pens: see The Pen Cycle. 1 km. Tuna: best "
        "before it was a tin. Half a zip: it has learnt to swim. Deeper.))\n"
        "[[On the ground Pim holds up the scissors, which shine.]]\nPim: Got them!\n"
        "Voice from the rope: Lovely. And the tape?\n[[In the ground there is another drawer: MISC. (2).]]",
        "Every kitchen has one drawer for everything else. The picture treats it as an {{w|Pelagic "
        "zone|ocean}}, with a zone of light, a zone of twilight and a zone where people have ''stopped "
        "looking''.\n\n"
        "The rubber band ball is the kraken, the key-ring torch an {{w|anglerfish}}. The pens are the "
        "groundwater of [[6: The Pen Cycle]], and the label on the drawer is the one that makes trouble in "
        "[[16: Miscellaneous]]."),
    Record(
        "card_catalogue", "Card Catalogue",
        "Please do not close the drawer marked WARM PLACES. Shelving it took an hour.",
        "[[A cabinet of twenty drawers with labels. Oda stands beside it; Ibid, a robot who is a filing "
        "cabinet himself, has got under it.]]\n"
        "((A - Aardvark. Aardvark (more). B - Bees. Bees, cont'd. Cats, see: Warm places. D - Dust. "
        "Drafts, final. Drafts, final (new) (2). Ibid. Ibid. Jokes (in order). Mac, Mc, Mak & other wars. "
        "Null. Op. cit. Quiet please. Recursion, see: This. Spoons. Warm places, see: Cats. X (unused). "
        "Zzz.))\n[[The drawer WARM PLACES, SEE: CATS is open, and a cat is asleep in it.]]",
        "Before computers a library was searched in a {{w|Library catalog#Card catalog|card catalogue}}. "
        "''Ibid.'' and ''op. cit.'' mean \"in the same place\" and \"in the work named\"; here they are "
        "filed under themselves.\n\n"
        "The two cards CATS and WARM PLACES refer to each other for ever. Unlike most circular references "
        "this one has something in it. In the living version each drawer can be opened; this is the "
        "picture of it.",
        extra_parts={"pre": "", "headerextra": "", "post": "\n<script src=\"/14/drawers.js\"></script>\n",
                     "imgAttr": ""}),
    Record(
        "reading_room", "Reading Room",
        "Shh.",
        "[[A wordless scene. Five shelves of books fill a wall from side to side. A black cat sits on the "
        "top shelf. Marlow stands at the end of it and fishes; a book hangs on his line, far below.]]\n"
        "[[Pim sleeps between two books, under a blanket. A whale's tail rises from a gap full of waves. A "
        "plant grows out of an open book. Ibid has been shelved, and is asleep. Tilda goes by in a hot-air "
        "balloon.]]\n"
        "[[There is a window in the shelf with the moon in it, and a white cat on the sill. Another cat "
        "looks out of a box marked MISC. A mouse reads in a hole.]]\n"
        "[[Oda stands on a ladder that stands on a ladder. Professor Wren reads at a table. Another Pim "
        "reads on top of a tower of books. A few books have taken wing. There is a globe.]]",
        "There is nothing to explain, and it is best done quietly.\n\n"
        "There are ''four'' cats. Pim is in the picture twice, once awake and once asleep: this is what a "
        "good {{w|reading room}} does to a person. The box is the one from [[16: Miscellaneous]]."),
    Record(
        "miscellaneous", "Miscellaneous",
        "The owls used to be in MISC. They were moved when it turned out that they fit in any box they "
        "want to.",
        "[[Oda shows Pim a small box marked MISC. Behind her are boxes marked MAPS, SONGS, BONES, SPOONS, "
        "OWLS and FORMS.]]\nOda: This is the box for things that don't fit in any other box.\n"
        "Pim: And which box is that box in?\nOda: None. It's a box.\n[[Pim puts up a hand, delighted.]]\n"
        "Pim: So it doesn't fit in any other box. So it goes in the box.\nOda: ...\n"
        "[[Tuesday. Ibid's eyes are spirals, and smoke rises from him. The cat looks out of the box.]]\n"
        "Oda: Ibid has been on it since noon.\nPim: The cat fits.",
        "The box holds all things that fit in no other box. It fits in no other box itself, so it belongs "
        "in itself. Put there, it is ''in'' a box, and the trouble starts: a cousin of {{w|Russell's "
        "paradox}}, which asks whether the set of all sets that don't contain themselves contains "
        "itself.\n\n"
        "Ibid, the archive's robot, follows the rules and can't finish. The cat (see [[8: Steady State]]) "
        "has never read them.",
        news="New here? Pull out a drawer of the <a href=\"/14/\">card catalogue</a>, or take the long way "
             "down in <a href=\"/13/\">The Drawer</a>.<br />"),
]


def comics_jsonl() -> str:
    """All records, one a line."""
    return "".join(f"{record.api(number)}\n" for number, record in enumerate(RECORDS, 1))


def explanations_jsonl() -> str:
    """All explanations, one a line, in wikitext."""
    return "".join(
        json.dumps({"num": number, "explanation": record.explanation}) + "\n" for number,
        record in enumerate(RECORDS, 1))
