import { parseArn } from '../aws/arn.ts';

/** Names of the resources in ARNs that do not end with the name, by service. */
const NAMES: Readonly<Record<string, RegExp>> = {
  cloudformation: /^[\w-]+\/(.+)\/[\da-f-]{36}$/,
  secretsmanager: /^secret:(.+)-\w{6}$/,
};

/** Ends of the names of members that name a resource: some operations accept it in one of several members. */
const NAMING = /(?:arn|name|id|identifier|group)$/i;

/**
 * Returns the name of the resource in a value, which clients may also give as an ARN or a part of it; other values are
 * returned unchanged.
 */
function nameIn(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const arn = parseArn(value);
  const partial = /^(?:\d{12}:)?function:(.+)$/.exec(value)?.[1];
  if (!arn) return (partial ?? value).replace(/^\//, '');
  const { service, resource } = arn;
  const name = NAMES[service]?.exec(resource)?.[1] ?? resource.replace(/:\*$/, '').replace(/^[\w-]+[:/]/, '');
  return name.replace(/^\//, '');
}

/**
 * Returns the identity of the parameters of a list. It is the same for all spellings of a resource, so that a token
 * obtained with a name is valid with the ARN, as on AWS.
 * @param members names and values of the parameters
 */
export function listIdentity(members: readonly (readonly [string, unknown])[]): string {
  const identities = members.map(([name, value]) => {
    const named = NAMING.test(name);
    return JSON.stringify(named ? ['', nameIn(value)] : [name, value]);
  });
  return identities.sort().join(',');
}
