import type { DeepReadonly } from '@emu/core/service';
import type { DocumentationPart } from '@emu/service-types/apigateway';
import { badRequest } from './errors.ts';

type Location = NonNullable<DocumentationPart['location']>;

/** Allowed location members by type, besides the type. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  API: [],
  AUTHORIZER: ['name'],
  MODEL: ['name'],
  RESOURCE: ['path'],
  METHOD: ['path', 'method'],
  PATH_PARAMETER: ['path', 'method', 'name'],
  QUERY_PARAMETER: ['path', 'method', 'name'],
  REQUEST_HEADER: ['path', 'method', 'name'],
  REQUEST_BODY: ['path', 'method'],
  RESPONSE: ['path', 'method', 'statusCode'],
  RESPONSE_HEADER: ['path', 'method', 'statusCode', 'name'],
  RESPONSE_BODY: ['path', 'method', 'statusCode'],
};

/**
 * Returns a location with AWS's defaults, which empty members also have.
 * @throws AwsError `BadRequestException`
 */
export function locationOf(given: Location): Location {
  const members = MEMBERS[given.type] ?? [];
  for (const name of ['path', 'method', 'statusCode', 'name'] as const)
    if (given[name] && !members.includes(name))
      throw badRequest(`Invalid parameter: the location of a part of the type ${given.type} has no ${name}`);
  return {
    type: given.type,
    ...(members.includes('path') && { path: given.path || '/' }),
    ...(members.includes('method') && { method: given.method || '*' }),
    ...(members.includes('statusCode') && { statusCode: given.statusCode || '*' }),
    ...(given.name && { name: given.name }),
  };
}

/** Whether two locations are equal. */
export const sameLocation = (
  left: DeepReadonly<Location> | undefined,
  right: DeepReadonly<Location> | undefined,
): boolean => JSON.stringify(left) === JSON.stringify(right);
