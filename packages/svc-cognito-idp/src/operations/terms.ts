import type { InputOf, OutputOf, TermsType } from '@emu/service-types/cognito-idp';
import type { CognitoIdpContext } from '../context.ts';
import { invalidParameter, notFound, termsExist } from '../errors.ts';
import { clientIn, poolOf } from '../lookup.ts';
import { paging } from '../paging.ts';
import type { TermsRecord } from '../records.ts';

/** Valid names of terms. */
const NAMES: ReadonlySet<string> = new Set(['terms-of-use', 'privacy-policy']);
/** Language key of the default link. */
const DEFAULT_LANGUAGE = 'cognito:default';

const describe = (terms: Readonly<TermsRecord>): TermsType => ({
  TermsId: terms.id,
  UserPoolId: terms.poolId,
  ClientId: terms.clientId,
  TermsName: terms.name,
  TermsSource: 'LINK',
  Enforcement: 'NONE',
  Links: { ...terms.links },
  CreationDate: new Date(terms.createdAt),
  LastModifiedDate: new Date(terms.updatedAt),
});

function check(name: string, links: Readonly<Record<string, string>>): void {
  if (!NAMES.has(name)) throw invalidParameter('TermsName must be terms-of-use or privacy-policy.');
  if (links[DEFAULT_LANGUAGE] === undefined) throw invalidParameter('Links must have the key cognito:default.');
  for (const link of Object.values(links))
    if (!URL.canParse(link) || !/^https?:$/.test(new URL(link).protocol))
      throw invalidParameter(`${link} is not a valid link.`);
}

/**
 * Returns the terms of a request.
 * @throws AwsError `ResourceNotFoundException`
 */
function termsOf(input: { UserPoolId: string; TermsId: string }, ctx: CognitoIdpContext): Readonly<TermsRecord> {
  const pool = poolOf(input, ctx);
  const terms = ctx.state.terms.get(input.TermsId);
  if (terms?.poolId !== pool.id) throw notFound(`Terms ${input.TermsId} do not exist.`);
  return terms;
}

/**
 * Checks that the client has no terms of the same name.
 * @throws AwsError `TermsExistsException`
 */
function checkUnique(terms: Readonly<TermsRecord>, { state }: CognitoIdpContext): void {
  for (const other of state.terms.values())
    if (other.clientId === terms.clientId && other.name === terms.name && other.id !== terms.id)
      throw termsExist(`Terms ${terms.name} already exist for the client.`);
}

export function CreateTerms(input: InputOf<'CreateTerms'>, ctx: CognitoIdpContext): OutputOf<'CreateTerms'> {
  const { state } = ctx;
  const pool = poolOf(input, ctx);
  const client = clientIn(pool, input.ClientId, state);
  const { TermsName: name, Links: links = {} } = input;
  check(name, links);
  const now = ctx.clock.now();
  const terms: TermsRecord = {
    id: state.ids.uuid(),
    poolId: pool.id,
    clientId: client.id,
    name,
    links: { ...links },
    createdAt: now,
    updatedAt: now,
  };
  checkUnique(terms, ctx);
  state.terms.put(terms.id, terms);
  return { Terms: describe(terms) };
}

export function DescribeTerms(input: InputOf<'DescribeTerms'>, ctx: CognitoIdpContext): OutputOf<'DescribeTerms'> {
  return { Terms: describe(termsOf(input, ctx)) };
}

export function UpdateTerms(input: InputOf<'UpdateTerms'>, ctx: CognitoIdpContext): OutputOf<'UpdateTerms'> {
  const existing = termsOf(input, ctx);
  const terms: TermsRecord = {
    ...existing,
    name: input.TermsName ?? existing.name,
    links: { ...(input.Links ?? existing.links) },
    updatedAt: ctx.clock.now(),
  };
  check(terms.name, terms.links);
  checkUnique(terms, ctx);
  ctx.state.terms.put(terms.id, terms);
  return { Terms: describe(terms) };
}

export function DeleteTerms(input: InputOf<'DeleteTerms'>, ctx: CognitoIdpContext): OutputOf<'DeleteTerms'> {
  ctx.state.terms.delete(termsOf(input, ctx).id);
  return {};
}

export function ListTerms(input: InputOf<'ListTerms'>, ctx: CognitoIdpContext): OutputOf<'ListTerms'> {
  const pool = poolOf(input, ctx);
  const terms = [...ctx.state.terms.values()].filter(({ poolId }) => poolId === pool.id);
  return paging
    .page('ListTerms', input, terms, ({ id }) => id)
    .list(({ id, name, createdAt, updatedAt }) => ({
      TermsId: id,
      TermsName: name,
      Enforcement: 'NONE',
      CreationDate: new Date(createdAt),
      LastModifiedDate: new Date(updatedAt),
    }));
}
