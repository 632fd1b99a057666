import { existsSync, readFileSync } from 'node:fs';

const known = new Map<string, string[] | undefined>();

/**
 * What a grammar itself calls wrong: the texts of `error(…)` in the actions of a `.peggy` file.
 * @param generated the declarations of the parser that is made of it, `src/generated/<name>.d.ts`
 * @returns undefined for any other file
 */
export function grammarErrors(generated: string): string[] | undefined {
  if (!known.has(generated)) known.set(generated, read(generated));
  return known.get(generated);
}

function read(generated: string): string[] | undefined {
  const grammar = generated.replace(/\/generated\/([^/]+)\.d\.ts$/, '/$1.peggy');
  if (grammar === generated || !existsSync(grammar)) return undefined;
  const source = readFileSync(grammar, 'utf8');
  const calls = source.match(/\berror\(/g)?.length ?? 0;
  const texts = [...source.matchAll(/\berror\((?:'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`)\)/g)];
  if (texts.length !== calls) throw new Error(`${grammar}: an error's text is no literal`);
  return texts.map(([, plain, template]) => plain ?? template!.replace(/\$\{[^}]*\}/g, '\uFFFC'));
}
