/** A current runtime whose packages `supply` creates, and which needs no other program than Node.js. */
const CURRENT = 'nodejs22.x';
/**
 * Runtimes that AWS no longer accepts for new functions.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtimes.html
 */
const RETIRED =
  /\b(?:nodejs(?:\d\.\d+|\d\.x|1\d\.x|)|python(?:2\.7|3\.\d)|java8|dotnetcore\d\.\d|dotnet[567]|ruby2\.\d|go1\.x)(?=["'\s,]|$)/g;

/** Replaces retired runtimes of functions in the text of a template. */
export const withCurrentRuntimes = (text: string): string => text.replace(RETIRED, CURRENT);
