import type { Detector } from './detector.ts';

/** Given names that are not common words. */
const GIVEN =
  `Aaron Abigail Adam Adrian Agnes Ahmed Aisha Alan Albert Alejandro Alessandro Alexander Alexandra Alfred Ali Alice
Alicia Alison Amanda Amelia Amy Ana Andrea Andreas Andrew Angela Anita Ann Anna Anne Annette Anthony Antoine Antonio Arthur Ashley
Barbara Beatrice Benjamin Bernard Bernd Beth Betty Birgit Brandon Brenda Brian Brigitte Bruce Bruno Camille Carl Carla Carlos Carmen
Carol Caroline Catherine Charles Charlotte Cheryl Chloe Christian Christina Christine Christopher Claire Clara Claudia Claus Craig
Cristina Cynthia Daniel Daniela David Deborah Denise Dennis Diana Diane Diego Dieter Dmitri Dominique Donald Donna Dorothy Douglas
Edward Eleanor Elena Elisabeth Elizabeth Emily Emma Enrique Eric Erika Ernst Esther Eugene Evelyn Fabian Fatima Federico Felix
Fernando Fiona Florian Frances Francesca Francesco Francis Francisco Franz Frederick Friedrich Gabriel Gabriele Gary Geoffrey George
Georg Gerald Gerhard Giovanni Giulia Giuseppe Gloria Gordon Gregory Guillaume Günter Hannah Hans Harold Harry Heather Heinrich Heinz
Helen Helena Helga Henri Henry Herbert Hiroshi Holly Howard Hugo Ian Ingrid Irene Isaac Isabel Isabella Ivan Jacob Jacqueline
Jacques James Jan Jane Janet Janice Jason Javier Jean Jeffrey Jennifer Jeremy Jerry Jesse Jessica Joan Joanna Jochen Joel Johann
Johannes John Jonas Jonathan Jorge José Jose Joseph Joshua Juan Judith Judy Julia Julian Julie Jürgen Justin Kai Karen Karl Karin
Katarina Katharina Katherine Kathleen Kathryn Katie Keith Kelly Kenneth Kevin Kim Kimberly Klaus Kristin Kurt Kyle Larry Laura
Lauren Laurent Leo Leonardo Leslie Linda Lisa Lorenzo Louis Louise Luca Lucas Lucia Lucy Luigi Luis Lukas Madison Manfred Manuel
Marco Marcus Margaret Maria María Marianne Marie Marilyn Mario Marta Martha Martin Mary Mateo Matteo Matthew Matthias Maurice Megan
Melanie Melissa Michael Michel Michelle Miguel Mohamed Mohammed Monica Monika Muhammad Nancy Natalia Natalie Nathan Nicholas Nicole
Nikolai Nina Noah Nora Norman Olga Olivia Oscar Pamela Paola Patricia Patrick Paul Paula Pedro Peter Petra Philip Philippe Pierre
Rachel Rafael Ralf Ralph Ramón Raymond Rebecca Reinhard Renate Richard Rita Robert Roberto Roger Roland Ronald Rosa Roy Russell
Ruth Ryan Sabine Samantha Samuel Sandra Sara Sarah Sebastian Sergei Sergio Sharon Shirley Silvia Simon Sofia Sophia Sophie Stefan
Stefanie Stephanie Stephen Steven Susan Susanne Suzanne Sven Sylvia Tamara Teresa Theodore Theresa Thomas Tiffany Timothy Tobias
Tom Ulrich Ursula Uwe Valentina Vanessa Veronica Victoria Vincent Virginia Vladimir Walter Wei Werner Wilhelm William Wolfgang Yusuf
Yves Zachary Zoe`
    .split(/\s+/)
    .join('|');
const TITLE = 'Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Herr|Frau|Mme|Mlle|Monsieur|Madame|Sig|Signor|Signora|Sr|Sra|Señor|Señora';
const PARTICLE = 'van|von|de|da|di|del|der|den|dos|la|le|bin|al|zu';
const WORD = "\\p{Lu}[\\p{L}'’-]{1,30}";
const FAMILY = `(?: (?:${PARTICLE})){0,2} ${WORD}`;

/** Detects full names that begin with a title or a common given name; AWS uses a trained model. */
export const NAME: Detector = {
  pattern: new RegExp(
    `(?<![\\p{L}\\p{N}])(?:(?:${TITLE})\\.?(?: ${WORD})?${FAMILY}|(?:${GIVEN})(?:[ -](?:${GIVEN}))?(?: \\p{Lu}\\.)?${FAMILY})(?![\\p{L}\\p{N}])`,
    'gu',
  ),
};

const STREET =
  'Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Place|Pl|Square|Sq|Terrace|Way|Parkway|Pkwy|Highway|Hwy|Close|Crescent|Cres';
const NUMBER = '\\d{1,5}[A-Za-z]?';
const CITY = "\\p{Lu}[\\p{L}.'’-]{1,30}(?: \\p{Lu}[\\p{L}.'’-]{1,30}){0,2}";
const WORDS = "(?: [\\p{L}\\d.'’-]{1,30}){1,5}";
/** Postal codes of the United States, Canada, Great Britain and Australia. */
const POSTAL = '\\d{5}(?:-\\d{4})?|[A-Z]\\d[A-Z] ?\\d[A-Z]\\d|[A-Z]{1,2}\\d[A-Z\\d]? ?\\d[A-Z]{2}|\\d{4}';
const AND = ',?(?: |\\\\n|\\n)';

const FORMS: readonly string[] = [
  `${NUMBER}(?: [\\p{L}\\d.'’-]{1,30}){1,4} (?:${STREET})\\.?(?:,? (?:Apt|Apartment|Suite|Ste|Unit|#)\\.? ?[\\w-]{1,10})?${AND}${CITY}${AND}(?:[A-Z]{2,3} )?(?:${POSTAL})`,
  `\\p{Lu}[\\p{L}.-]{0,30}(?: \\p{Lu}\\p{L}{0,20})?(?<=[Ss]tra(?:ß|ss)e|[Ss]tr\\.|[Ww]eg|[Pp]latz|[Aa]llee|[Gg]asse|[Rr]ing) ${NUMBER}${AND}(?:D-)?\\d{5} ${CITY}`,
  `${NUMBER}(?: bis| ter)?,? (?:[Rr]ue|[Aa]venue|[Bb]oulevard|[Pp]lace|[Cc]hemin|[Aa]llée|[Ii]mpasse|[Qq]uai|[Cc]ours)${WORDS}${AND}(?:F-)?\\d{5} ${CITY}`,
  `(?:Via|Viale|Piazza|Corso|Largo|Vicolo)${WORDS},? ${NUMBER}${AND}\\d{5} ${CITY}`,
  `(?:Calle|C/|Avenida|Avda\\.?|Plaza|Paseo|Camino|Carrer)${WORDS},? (?:[Nn][ºo°]\\.? ?)?${NUMBER}${AND}\\d{5} ${CITY}`,
];

/**
 * Detects addresses with street, place and postal code in the formats of Australia, Canada, France, Germany, Italy,
 * Spain, the United Kingdom and the United States, the countries that AWS names.
 */
export const ADDRESS: Detector = {
  pattern: new RegExp(`(?<![\\p{L}\\p{N}])(?:${FORMS.join('|')})(?![\\p{L}\\p{N}])`, 'gu'),
};
