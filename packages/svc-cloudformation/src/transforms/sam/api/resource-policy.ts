import { isObject } from '@emu/wire';
import { documentProblem } from '../errors.ts';
import { isIntrinsic, type Obj } from '../values.ts';

const INVOKE = 'execute-api:Invoke';

/**
 * Adds access rules for a method to the resource policy of a definition.
 * @param stage name of the API's stage
 * @throws SamProblem
 */
export function addResourcePolicy(body: Obj, given: unknown, path: string, method: string, stage: unknown): void {
  if (given === undefined || given === null) return;
  if (!isObject(given)) throw documentProblem('ResourcePolicy must be a map (ResourcePolicyStatement).');
  const verb = method === 'x-amazon-apigateway-any-method' ? '*' : method.toUpperCase();
  const spelt = path.replace(/\{[^}]*\}/g, '*');
  const Resource = [
    {
      'Fn::Sub': [
        `execute-api:/\${__Stage__}/${verb}${spelt.startsWith('/') ? '' : '/'}${spelt}`,
        { __Stage__: stage ?? null },
      ],
    },
  ];
  const statements = accountStatements(given, Resource);
  const addCondition = (condition: Obj | undefined) => {
    if (!condition) return;
    statements.push(
      { Action: INVOKE, Effect: 'Allow', Principal: '*', Resource },
      { Action: INVOKE, Effect: 'Deny', Principal: '*', Resource, Condition: condition },
    );
  };
  addCondition(addresses('NotIpAddress', given.IpRangeWhitelist));
  addCondition(addresses('IpAddress', given.IpRangeBlacklist));
  addCondition(networks('StringNotEquals', given, 'Whitelist'));
  addCondition(networks('StringEquals', given, 'Blacklist'));
  if (statements.length) addStatements(body, statements.length === 1 ? statements[0] : statements);
}

/** Adds custom statements to the resource policy of a definition. */
export function addCustomStatements(body: Obj, given: unknown): void {
  if (isObject(given) && given.CustomStatements) addStatements(body, given.CustomStatements);
}

function addStatements(body: Obj, added: unknown): void {
  const policy = isObject(body['x-amazon-apigateway-policy']) ? body['x-amazon-apigateway-policy'] : {};
  const known = policy.Statement === undefined ? [] : [policy.Statement].flat();
  const texts = new Set(known.map((statement) => JSON.stringify(statement)));
  const fresh = [added].flat().filter((statement) => {
    const text = JSON.stringify(statement);
    return !texts.has(text) && texts.add(text);
  });
  const all = [...known, ...fresh];
  const Statement = known.length === 0 && !Array.isArray(added) ? added : all;
  body['x-amazon-apigateway-policy'] = { ...policy, Version: '2012-10-17', Statement };
}

function accountStatements({ AwsAccountWhitelist: yes, AwsAccountBlacklist: no }: Obj, Resource: unknown): Obj[] {
  const statement = (Effect: string, AWS: unknown) => ({ Action: INVOKE, Effect, Principal: { AWS }, Resource });
  return [...(yes ? [statement('Allow', yes)] : []), ...(no ? [statement('Deny', no)] : [])];
}

const addresses = (operator: string, list: unknown): Obj | undefined =>
  list ? { [operator]: { 'aws:SourceIp': list } } : undefined;

/** Returns the VPCs and VPC endpoints of a list, as text or intrinsic functions. */
function networks(operator: string, given: Obj, list: 'Whitelist' | 'Blacklist'): Obj | undefined {
  const named = given[`SourceVpc${list}`];
  if (
    named !== undefined &&
    (!Array.isArray(named) || named.some((one) => isIntrinsic(one) || typeof one !== 'string'))
  )
    throw documentProblem(
      `SourceVpc${list} must be a list of strings. Use IntrinsicVpc${list} instead for values that use Intrinsic Functions`,
    );
  const texts = (named ?? []) as string[];
  const own = (name: string): unknown[] => {
    const value = given[name];
    return value === undefined ? [] : [value].flat();
  };
  const vpcs = [...texts.filter((text) => text.startsWith('vpc-')), ...own(`IntrinsicVpc${list}`)];
  const endpoints = [...texts.filter((text) => text.startsWith('vpce-')), ...own(`IntrinsicVpce${list}`)];
  if (!vpcs.length && !endpoints.length) return undefined;
  return {
    [operator]: {
      ...(vpcs.length && { 'aws:SourceVpc': vpcs }),
      ...(endpoints.length && { 'aws:SourceVpce': endpoints }),
    },
  };
}
