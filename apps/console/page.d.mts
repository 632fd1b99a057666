/** Path of the generated page. */
export const target: string;
/** Returns the page for the gateway as the text of a JSON file. */
export function buildPage(): Promise<string>;
