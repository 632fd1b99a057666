import { copyOf } from '@emu/core/service';
import type { InputOf, OutputOf, ResourceServerType } from '@emu/service-types/cognito-idp';
import type { CognitoIdpContext } from '../context.ts';
import { invalidParameter, notFound } from '../errors.ts';
import { poolOf } from '../lookup.ts';
import { paging } from '../paging.ts';
import type { ResourceServerRecord } from '../records.ts';

const describe = ({ poolId, identifier, name, scopes }: Readonly<ResourceServerRecord>): ResourceServerType => ({
  UserPoolId: poolId,
  Identifier: identifier,
  Name: name,
  Scopes: scopes?.map((scope) => ({ ...scope })) ?? [],
});

/**
 * Returns the resource server of a request.
 * @throws AwsError `ResourceNotFoundException`
 */
function serverOf(
  input: { UserPoolId: string; Identifier: string },
  ctx: CognitoIdpContext,
): Readonly<ResourceServerRecord> {
  const pool = poolOf(input, ctx);
  const server = ctx.state.resourceServers.get(`${pool.id}/${input.Identifier}`);
  if (!server) throw notFound(`Resource server ${input.Identifier} does not exist.`);
  return server as Readonly<ResourceServerRecord>;
}

export function CreateResourceServer(
  input: InputOf<'CreateResourceServer'>,
  ctx: CognitoIdpContext,
): OutputOf<'CreateResourceServer'> {
  const pool = poolOf(input, ctx);
  const { Identifier: identifier, Name: name, Scopes: scopes } = input;
  const key = `${pool.id}/${identifier}`;
  if (ctx.state.resourceServers.has(key))
    throw invalidParameter(`${identifier} already exists in user pool ${pool.id}.`);
  const server = { poolId: pool.id, identifier, name, ...(scopes && { scopes: copyOf(scopes) }) };
  ctx.state.resourceServers.put(key, server);
  return { ResourceServer: describe(server) };
}

export function DescribeResourceServer(
  input: InputOf<'DescribeResourceServer'>,
  ctx: CognitoIdpContext,
): OutputOf<'DescribeResourceServer'> {
  return { ResourceServer: describe(serverOf(input, ctx)) };
}

export function UpdateResourceServer(
  input: InputOf<'UpdateResourceServer'>,
  ctx: CognitoIdpContext,
): OutputOf<'UpdateResourceServer'> {
  const { poolId, identifier } = serverOf(input, ctx);
  const { Name: name, Scopes: scopes } = input;
  const server = { poolId, identifier, name, ...(scopes && { scopes: copyOf(scopes) }) };
  ctx.state.resourceServers.put(`${poolId}/${identifier}`, server);
  return { ResourceServer: describe(server) };
}

export function DeleteResourceServer(
  input: InputOf<'DeleteResourceServer'>,
  ctx: CognitoIdpContext,
): OutputOf<'DeleteResourceServer'> {
  const { poolId, identifier } = serverOf(input, ctx);
  ctx.state.resourceServers.delete(`${poolId}/${identifier}`);
  return {};
}

export function ListResourceServers(
  input: InputOf<'ListResourceServers'>,
  ctx: CognitoIdpContext,
): OutputOf<'ListResourceServers'> {
  const pool = poolOf(input, ctx);
  const servers = [...ctx.state.resourceServers.values()].filter(({ poolId }) => poolId === pool.id);
  return paging
    .page('ListResourceServers', input, servers as ResourceServerRecord[], ({ identifier }) => identifier)
    .list(describe);
}
