import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { collect, type Sentence } from '../src/collect.ts';
import { kept } from '../src/marks.ts';
import { Matcher } from '../src/match.ts';
import { HOLE } from '../src/values.ts';

const root = join(import.meta.dirname, 'fixture');

describe('the sentences of errors', () => {
  const { sentences, unresolved } = collect(join(root, 'sources.json'), root);

  it('come from literals, templates, tables, helpers, callbacks, caught errors and entries of batches', () => {
    expect(sentences.map(({ code, message }) => `${kept(code)}: ${kept(message)}`).sort()).toEqual([
      'Malformed: The value is empty.',
      'Malformed: The value {} is too long.',
      'MissingException: Something is missing.',
      'NotThere: There is no {} here.',
      'TooLate: It is too late.',
      'TooMany: There may be {} of them.',
      'ValidationException: Pattern is not valid. Reason: There is nothing in it.',
      'ValidationException: Pattern is not valid. Reason: {}',
      'ValidationException: The name {} is not valid any more.',
      'ValidationException: The name {} is not valid.',
      'WrongException: Something is wrong.',
      "{}: Unexpected character '{}'",
    ]);
    expect(new Set(sentences.map((sentence) => sentence.package))).toEqual(new Set(['packages/svc-words']));
  });

  it('are missed nowhere in silence', () => {
    expect(unresolved).toEqual([
      {
        file: 'packages/svc-words/src/errors.ts',
        place: 'packages/svc-words/src/errors.ts:6',
        expression: 'message',
        origin: 'packages/svc-words/src/operations.ts:41',
      },
    ]);
  });
});

describe('what is known of a sentence', () => {
  const matcher = new Matcher(
    [
      {
        code: 'com.amazonaws.words#MissingException',
        message: 'Key abc is missing.',
        source: 'words/api.snapshot.json',
      },
      { code: 'InvalidParameter', message: 'Invalid name: it has spaces in it', source: 'words/api.snapshot.json' },
    ],
    [{ source: 'https://docs.aws.amazon.com/words', text: 'Errors: The request names nothing at all. Others follow.' }],
  );
  const mark = (sentence: Partial<Sentence>) =>
    matcher.markOf({ package: 'packages/svc-words', code: 'Other', message: '', ...sentence }, [
      sentence.code ?? 'Other',
    ]);
  const recorded = { kind: 'recorded', source: 'words/api.snapshot.json' };

  it('is recorded where AWS answered its code and its words', () => {
    expect(mark({ code: 'Missing', message: `Key ${HOLE} is missing.` })).toEqual(recorded);
    expect(mark({ code: 'Wrong', message: `Key ${HOLE} is missing.` })).toEqual({ kind: 'own' });
    expect(mark({ package: 'packages/svc-others', code: 'Missing', message: `Key ${HOLE} is missing.` })).toEqual({
      kind: 'own',
    });
  });

  it('is nothing where almost all of it fits everything', () => {
    expect(mark({ code: 'InvalidParameter', message: `Invalid ${HOLE}: ${HOLE}` })).toEqual({ kind: 'own' });
  });

  it('is documented where a page has all of its words', () => {
    const documented = { kind: 'documented', source: 'https://docs.aws.amazon.com/words' };
    expect(mark({ message: 'The request names nothing at all.' })).toEqual(documented);
    expect(mark({ message: 'The request names nothing.' })).toEqual({ kind: 'own' });
    expect(mark({ message: 'Others follow' })).toEqual({ kind: 'own' });
  });
});
