import { describe, expect, it } from 'vitest';
import { Composer, LiteralSet } from '../src/composition.ts';
import { HOLE, literalsOf } from '../src/literals.ts';
import { Matcher, type Package } from '../src/match.ts';

const own = new LiteralSet(literalsOf(import.meta.dirname, 'fixture'));
const shared = new LiteralSet([{ text: 'Something is missing:', codes: new Set([undefined]) }]);
const composer = new Composer([own, shared]);

describe('the literals of a source', () => {
  const texts = own.literals.map(({ text }) => text);

  it('are strings and templates, also nested, but not comments and regular expressions', () => {
    expect(texts).toEqual(
      expect.arrayContaining([
        'The value is empty.',
        `The value ${HOLE} is too long.`,
        `It is far too late for ${HOLE}.`,
        `the ${HOLE}`,
      ]),
    );
    expect(texts).not.toContain('comment');
  });

  it('have the code of their error', () => {
    const codes = (text: string) => [...own.whole.get(text)!.codes];
    expect(codes(`It is far too late for ${HOLE}.`)).toEqual(['TooLate']);
    expect(codes(`There is no ${HOLE} here.`)).toEqual(['NotThere']);
    expect(codes('The value is empty.')).toEqual([undefined]);
  });
});

describe('a message', () => {
  const made = (message: string) => composer.compose(message)?.message;

  it.each([
    ['The value is empty.', 'The value is empty.'],
    ['The value abc is too long.', `The value ${HOLE} is too long.`],
    ['Pattern is not valid. Reason: There is nothing in it.', 'Pattern is not valid. Reason: There is nothing in it.'],
    ['It is far too late for the train.', `It is far too late for the ${HOLE}.`],
    ['Something is missing: a1b', `Something is missing:${HOLE}`],
    ['Something is missing: [The value is empty.]', 'Something is missing: [The value is empty.]'],
    [`The value is empty.${HOLE}`, `The value is empty.${HOLE}`],
  ])('is composed of literals: %s', (message, sentence) => {
    expect(made(message)).toBe(sentence);
  });

  it.each([
    'The value is missing.',
    'The value abc is too short.',
    'Pattern is not valid. Reason: There is something in it.',
    'Pattern is not valid.',
  ])('is not composed of other words: %s', (message) => {
    expect(made(message)).toBeUndefined();
  });

  it('belongs to a package if its outermost literal does', () => {
    expect(composer.compose('The value is empty.')).toMatchObject({ isOwn: true });
    expect(composer.compose('Something is missing: abc')).toMatchObject({ isOwn: false });
  });
});

describe('an unlisted sentence', () => {
  const source = 'words/api.snapshot.json';
  const matcher = new Matcher(
    [
      { code: 'com.amazonaws.words#ValidationException', message: 'The value abc is too long.', source },
      { code: 'Unheard', message: 'The value is empty.', source },
      { code: 'TooLate', message: 'The value is empty.', source: 'others/api.snapshot.json' },
      { code: 'Coded.ByProtocol', message: 'There is no x here.', source },
      { code: 'MissingException', message: 'Something is missing: abc', source },
    ],
    [
      {
        source: 'https://docs.aws.amazon.com/words',
        text: 'Errors: It is far too late for you. There is no x here. Or.',
      },
    ],
  );
  const searched: Package = {
    folder: 'packages/svc-words',
    own,
    composer,
    names: new Map([['Coded.ByProtocol', 'NotThere']]),
    listed: [],
  };
  const tooLong = {
    code: 'ValidationException',
    message: `The value ${HOLE} is too long.`,
    mark: { kind: 'recorded', source },
  };
  const notThere = { code: 'NotThere', message: `There is no ${HOLE} here.`, mark: { kind: 'recorded', source } };

  it('is found if AWS returned its words with a code of the package', () => {
    expect(matcher.find(searched).filter(({ mark }) => mark.kind === 'recorded')).toEqual([tooLong, notThere]);
    expect(matcher.find({ ...searched, folder: 'packages/svc-others' })).not.toContainEqual(tooLong);
  });

  it('is not found again', () => {
    const listed = [{ ...tooLong, mark: { kind: 'documented', source: 'x' } as const }];
    expect(matcher.find({ ...searched, listed })).not.toContainEqual(tooLong);
  });

  it('is found if a page contains it completely', () => {
    const page = { kind: 'documented', source: 'https://docs.aws.amazon.com/words' };
    expect(matcher.find(searched)).toContainEqual({
      code: 'TooLate',
      message: `It is far too late for ${HOLE}.`,
      mark: page,
    });
  });
});
