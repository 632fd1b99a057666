/** Where the page is kept. */
export const target: string;
/** The page as the gateway serves it, as the text of a JSON file. */
export function buildPage(): Promise<string>;
