//! The words of pseudonyms: friendly, and easy to tell apart.
//!
//! A word that changes renames students, so none does.

/// The first words.
#[rustfmt::skip]
pub(super) const ADJECTIVES: [&str; 256] = [
    "able", "active", "agile", "airy", "alert", "amber", "ancient", "apt", "aqua", "arctic",
    "artful", "atomic", "autumn", "avid", "azure", "balmy", "beaming", "blithe", "blue", "bold",
    "bouncy", "breezy", "brief", "bright", "brisk", "bronze", "bubbly", "calm", "candid", "careful",
    "caring", "casual", "cheerful", "civic", "classic", "clean", "clever", "coastal", "cobalt",
    "cool", "copper", "coral", "cosmic", "creamy", "crimson", "crisp", "crystal", "curious",
    "dancing", "dapper", "dazzling", "decent", "deep", "devoted", "digital", "diligent", "distant",
    "driven", "early", "earnest", "earthy", "easy", "elated", "emerald", "eminent", "endless",
    "epic", "equal", "even", "exact", "exotic", "fabled", "fair", "faithful", "fancy", "festive",
    "fiery", "fine", "firm", "floral", "fluent", "flying", "fond", "frank", "fresh", "friendly",
    "frosty", "frugal", "gallant", "genial", "gentle", "genuine", "giving", "glad", "gleaming",
    "glossy", "glowing", "golden", "graceful", "gracious", "granite", "green", "handy", "happy",
    "hearty", "honest", "hopeful", "humble", "ideal", "indigo", "iron", "ivory", "jaunty", "jazzy",
    "jolly", "joyful", "jubilant", "just", "keen", "kind", "kindly", "lavender", "leafy", "level",
    "light", "lilac", "local", "lofty", "logical", "lucid", "lucky", "lush", "magnetic", "major",
    "marble", "marine", "mellow", "merry", "mighty", "mild", "mindful", "minty", "modest",
    "moonlit", "mossy", "musical", "neat", "noble", "notable", "novel", "ocean", "olive", "orderly",
    "organic", "outer", "pastel", "patient", "peppy", "perky", "placid", "playful", "pleasant",
    "polar", "polite", "popular", "precise", "prime", "proper", "prudent", "pure", "purple",
    "quaint", "quick", "radiant", "rapid", "rare", "ready", "regal", "relaxed", "robust", "rosy",
    "ruby", "rustic", "sapphire", "scarlet", "scenic", "secure", "serene", "sharp", "silent",
    "silken", "silver", "sincere", "sleek", "smiling", "smooth", "snowy", "snug", "sociable",
    "sonic", "southern", "speedy", "spiced", "spirited", "sporty", "spring", "stable", "starry",
    "steady", "sterling", "stoic", "striped", "strong", "sturdy", "sublime", "summer", "sunlit",
    "sunny", "superb", "supple", "swift", "tactful", "teal", "tender", "thankful", "thrifty",
    "tidy", "topaz", "tranquil", "trim", "true", "trusty", "tuneful", "turquoise", "unique",
    "upbeat", "urban", "useful", "valiant", "velvet", "verdant", "violet", "vital", "vivid", "warm",
    "watchful", "willing", "windy", "winged", "wintry", "wise", "wooden", "woodland", "worthy",
    "zany", "zealous",
];

/// The second words: animals and plants.
#[rustfmt::skip]
pub(super) const NOUNS: [&str; 256] = [
    "acacia", "acorn", "agave", "alder", "aloe", "alpaca", "anemone", "apple", "apricot", "arnica",
    "ash", "aster", "auk", "avocet", "badger", "balsam", "bamboo", "banyan", "basil", "bay", "bear",
    "begonia", "birch", "bison", "bluebell", "bobcat", "borage", "bracken", "bream", "briar",
    "broom", "bunting", "buttercup", "butterfly", "buzzard", "camellia", "canary", "caracal",
    "caribou", "carp", "catfish", "cheetah", "cherry", "chestnut", "chickadee", "chive", "citron",
    "clematis", "cockatoo", "columbine", "condor", "conifer", "cormorant", "corncrake", "cosmos",
    "cowslip", "crane", "cress", "cricket", "curlew", "cypress", "daffodil", "daisy", "damson",
    "deer", "dingo", "dogwood", "dolphin", "dormouse", "dragonfly", "dugong", "dunlin", "echidna",
    "edelweiss", "egret", "eider", "elk", "emu", "ermine", "fern", "fig", "finch", "flamingo",
    "flax", "flounder", "fox", "freesia", "fuchsia", "fulmar", "gardenia", "gazelle", "gecko",
    "gentian", "ginger", "giraffe", "godwit", "gorse", "grape", "grebe", "guava", "guppy",
    "halibut", "hare", "hawk", "hawthorn", "hazel", "hedgehog", "heron", "herring", "hibiscus",
    "holly", "hoopoe", "hornbeam", "ibex", "ibis", "iguana", "impala", "jacana", "jackdaw",
    "jaguar", "juniper", "kale", "kangaroo", "kite", "kiwi", "koala", "kudu", "lantana", "lapwing",
    "larch", "larkspur", "laurel", "lemon", "lemur", "lichen", "lily", "lime", "linnet", "lion",
    "llama", "lotus", "lupin", "lynx", "macaw", "magpie", "mahogany", "mallard", "mango", "maple",
    "marigold", "marjoram", "marmot", "mayfly", "meerkat", "mimosa", "mint", "mistletoe",
    "mongoose", "mulberry", "mustard", "myrtle", "narwhal", "nettle", "newt", "nuthatch", "nutmeg",
    "oak", "ocelot", "oleander", "orchid", "oregano", "oryx", "osprey", "ostrich", "otter", "oxlip",
    "oyster", "palm", "papaya", "parrot", "parsley", "peach", "pecan", "pelican", "penguin",
    "pepper", "petrel", "petunia", "pika", "pine", "pintail", "pipit", "poplar", "poppy",
    "porcupine", "puffin", "puma", "pumpkin", "quetzal", "quince", "quokka", "quoll", "radish",
    "raven", "redstart", "reindeer", "rhubarb", "robin", "rook", "rosemary", "rowan", "saffron",
    "sandpiper", "seahorse", "sequoia", "serval", "siskin", "skylark", "snipe", "sorrel", "sparrow",
    "spinach", "squirrel", "starfish", "starling", "stork", "swallow", "swan", "sycamore",
    "tanager", "tansy", "tapir", "teak", "thistle", "thyme", "tiger", "trout", "tulip", "turtle",
    "vicuna", "viola", "vole", "wagtail", "walnut", "walrus", "warbler", "weaver", "wheat",
    "wigeon", "willow", "wolf", "wombat", "wren", "yew", "yucca", "zebra",
];
