import type { DocumentKeyValuesFilter, InputOf, OutputOf } from '@emu/service-types/ssm';
import type { SsmContext } from '../../context.ts';
import { identifyDocument } from '../../documents/describe.ts';
import { OWNED } from '../../documents/owned.ts';
import { type FoundDocument, findDocument, versionOf } from '../../documents/resolve.ts';
import { invalid, ssmError } from '../../errors.ts';
import { paging } from '../../paging.ts';

/** A document with its origin. */
interface Listed extends FoundDocument {
  readonly isPublic: boolean;
}

type Test = (listed: Listed) => boolean;

/** Yields the documents that an account can see: its own, AWS's, and those shared by other accounts. */
function* visible(ctx: SsmContext): Generator<Listed> {
  const { accountId, region, state } = ctx;
  for (const document of state.documents.all())
    yield { document, owner: accountId, shownName: document.name, isPublic: false };
  for (const document of Object.values(OWNED))
    if (!state.documents.get(document.name))
      yield { document, owner: 'Amazon', shownName: document.name, isPublic: true };
  for (const other of ctx.handle.states()) {
    if (other.accountId === accountId || other.region !== region) continue;
    for (const { name, shares } of other.state.documents.all())
      if (shares[accountId] !== undefined || shares.all !== undefined)
        yield {
          ...findDocument(state, other.state.documentArn(name)),
          isPublic: shares[accountId] === undefined,
        };
  }
}

function ownerTest(value: string, accountId: string): Test {
  switch (value.toLowerCase()) {
    case 'self':
      return ({ owner }) => owner === accountId;
    case 'amazon':
      return ({ owner }) => owner === 'Amazon';
    case 'public':
      return ({ isPublic }) => isPublic;
    case 'private':
      return ({ owner, isPublic }) => owner !== accountId && !isPublic;
    case 'thirdparty':
      return () => false;
    case 'all':
    case 'default':
      return () => true;
    default:
      return ({ owner }) => owner === value;
  }
}

function testOf({ Key = '', Values = [] }: DocumentKeyValuesFilter, accountId: string): Test {
  const any =
    (matches: (listed: Listed, value: string) => boolean): Test =>
    (listed) =>
      Values.some((value) => matches(listed, value));
  const summary = ({ document, sharedVersion }: Listed) =>
    versionOf({ document, owner: '', shownName: '', sharedVersion }).summary;
  if (Key.startsWith('tag:')) {
    const tag = Key.slice('tag:'.length);
    return ({ document: { tags } }) => Object.hasOwn(tags, tag) && (Values.length === 0 || Values.includes(tags[tag]!));
  }
  switch (Key) {
    case 'Name':
      return any(({ document }, value) => document.name.startsWith(value));
    case 'Owner': {
      const tests = Values.map((value) => ownerTest(value, accountId));
      return (listed) => tests.some((test) => test(listed));
    }
    case 'PlatformTypes':
      return any((listed, value) =>
        summary(listed).platformTypes.some((platform) => platform.toLowerCase() === value.toLowerCase()),
      );
    case 'DocumentType':
      return any(({ document }, value) => document.type === value);
    case 'TargetType':
      return any((listed, value) => versionOf(listed).targetType === value);
    case 'SearchKeyword':
      return any((listed, value) =>
        `${listed.document.name} ${summary(listed).description ?? ''}`.toLowerCase().includes(value.toLowerCase()),
      );
    default:
      throw ssmError('InvalidFilterKey', `The filter key ${Key} is not valid.`);
  }
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_ListDocuments.html */
export function ListDocuments(input: InputOf<'ListDocuments'>, ctx: SsmContext): OutputOf<'ListDocuments'> {
  const { DocumentFilterList: older = [], Filters = [] } = input;
  if (older.length > 0 && Filters.length > 0)
    throw invalid('You can use either Filters or DocumentFilterList in a single request.');
  const filters = [...Filters, ...older.map(({ key, value }) => ({ Key: key, Values: [value] }))];
  const tests = filters.map((filter) => testOf(filter, ctx.accountId));
  const listed = [...visible(ctx)]
    .filter((one) => tests.every((test) => test(one)))
    .sort((a, b) => (a.shownName < b.shownName ? -1 : 1));
  return paging
    .page('ListDocuments', input, listed, ({ shownName }) => shownName)
    .list((one) => identifyDocument(one, versionOf(one)));
}
