import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root directory of the repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** How the test runs a code block. */
export type Treatment =
  /** Shell commands that must succeed with a running emulator. */
  | { kind: 'commands' }
  /** A command that runs emu in the foreground. It must become ready and end on SIGTERM. */
  | { kind: 'foreground' }
  /** A file with its path in the second line, created before the blocks of the page run. */
  | { kind: 'file'; path: string }
  /** TypeScript that must type-check and run. */
  | { kind: 'typescript' }
  /** Not run here, with a reason. `by` is the test that runs it, relative to the repository. */
  | { kind: 'elsewhere'; by: string; reason: string };

/** A code block of a page. */
export interface DocsBlock {
  /** Path relative to the repository, e.g. `docs/embedding.md`. */
  page: string;
  /** Line number of its first line of code, from 1. */
  line: number;
  code: string;
  treatment: Treatment;
}

const BLOCK = /(?:<!-- (?<marker>[^\n]*) -->\n+)?```(?<language>sh|bash|shell|ts|typescript)\n(?<code>.*?)\n```/gs;
const ELSEWHERE = /^run by (?<by>\S+): (?<reason>.+)$/;

/** Returns the user documentation pages, relative to the repository. */
export function pages(): string[] {
  const names = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
  const docs = names.filter((name) => name.endsWith('.md')).map((name) => `docs/${name.replaceAll('\\', '/')}`);
  return ['README.md', ...docs.sort()];
}

/**
 * Returns the shell and TypeScript blocks of a page, in order. A preceding comment may define how a block runs: `<!--
 * foreground -->` or `<!-- run by <path>: <reason> -->`.
 * @throws Error for any other preceding comment
 */
export function blocksOf(page: string): DocsBlock[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(BLOCK)].map((match) => {
    const { marker, language, code } = match.groups as { marker?: string; language: string; code: string };
    const line = text.slice(0, match.index + match[0].indexOf('```')).split('\n').length + 1;
    return { page, line, code, treatment: treatmentOf(marker, language, code, `${page}:${line}`) };
  });
}

function treatmentOf(marker: string | undefined, language: string, code: string, where: string): Treatment {
  if (marker === 'foreground') return { kind: 'foreground' };
  const elsewhere = marker === undefined ? undefined : ELSEWHERE.exec(marker)?.groups;
  if (elsewhere) return { kind: 'elsewhere', by: elsewhere.by!, reason: elsewhere.reason! };
  if (marker !== undefined) throw new Error(`${where}: the comment says neither "foreground" nor "run by": ${marker}`);
  if (language.startsWith('t')) return { kind: 'typescript' };
  const path = /^#![^\n]*\n# (?<path>\S+)/.exec(code)?.groups?.path;
  return path === undefined ? { kind: 'commands' } : { kind: 'file', path };
}

const IMPORTS = /^import [^;]+;\n/gm;

/** Returns a TypeScript block as a test file. A block that is not a test file becomes the body of a test. */
export function testFileOf({ code, page, line }: DocsBlock): string {
  if (/from 'vitest'/.test(code)) return code;
  const imports = code.match(IMPORTS)?.join('') ?? '';
  const body = code.replaceAll(IMPORTS, '');
  return `import { test } from 'vitest';\n${imports}\ntest('${page}:${line}', async () => {\n${body}\n});\n`;
}
