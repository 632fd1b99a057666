import { isObject } from '@emu/wire';
import { eventProblem, resourceProblem } from '../errors.ts';
import { mapOf, should } from '../expect.ts';
import type { Translation } from '../translation.ts';
import type { Obj } from '../values.ts';
import { printed } from '../words.ts';
import { methodKey, type RouteEvent } from './events.ts';

const SIGNED = 'AWS_IAM';
const NONE = 'NONE';

/**
 * Validates the authorization of an event against its API.
 * @param apiId id of the API, and `auth` its property `Auth`
 * @throws SamProblem
 */
export function checkEventAuth(
  route: RouteEvent,
  apiId: string,
  auth: unknown,
  kind: 'Api' | 'HttpApi',
  to: Translation,
): void {
  const { name, path, properties } = route;
  const { Auth: own } = properties;
  if (!isObject(own) || !Object.keys(own).length) return;
  const method = kind === 'HttpApi' ? methodKey(route.method) : route.method;
  const on = `on API method [${method}] for path [${path}]`;
  const api: Obj =
    auth === undefined ? {} : mapOf(to.resolver.resolve(auth), 'Auth', (text) => resourceProblem(apiId, text));
  const { Authorizers: authorizers, DefaultAuthorizer: standard, EnableIamAuthorizer, ApiKeyRequired: keyed } = api;
  const { Authorizer: which = kind === 'HttpApi' ? standard : undefined } = own;
  if (kind === 'Api' && which && authorizers && !isObject(authorizers))
    throw resourceProblem(apiId, should('Auth.Authorizers', 'map'));
  const isSigned = which === SIGNED && (kind === 'Api' || EnableIamAuthorizer === true);
  if (which === NONE && !standard)
    throw eventProblem(
      name,
      `Unable to set Authorizer ${on} because 'NONE' is only a valid value when a DefaultAuthorizer on the API is specified.`,
    );
  if (which && which !== NONE && !isSigned) checkAuthorizer(name, on, which, authorizers);
  const { AuthorizationScopes: scopes, ApiKeyRequired, OverrideApiAuth, ResourcePolicy } = own;
  if (scopes && !Array.isArray(scopes))
    throw eventProblem(name, `Unable to set Authorizer ${on} because 'AuthorizationScopes' must be a list of strings.`);
  if (kind === 'HttpApi') return;
  if (ApiKeyRequired !== undefined && ApiKeyRequired !== null && !ApiKeyRequired && !keyed)
    throw eventProblem(
      name,
      `Unable to set ApiKeyRequired [False] ${on} because the related API does not specify any ApiKeyRequired.`,
    );
  if (OverrideApiAuth && !which && ApiKeyRequired === undefined && !ResourcePolicy)
    throw eventProblem(
      name,
      'Must define one of: Authorizer, ApiKeyRequired or ResourcePolicy when using the OverrideApiAuth property.',
    );
  if (scopes && !which && !standard) throw eventProblem(name, 'AuthorizationScopes works only when Authorizer is set');
}

/** @throws SamProblem for an unknown authorizer */
function checkAuthorizer(name: string, on: string, which: unknown, authorizers: unknown): void {
  const unable = `Unable to set Authorizer [${printed(which)}] ${on}`;
  const isNamed = typeof which === 'string';
  if (isNamed && (!authorizers || (isObject(authorizers) && !Object.keys(authorizers).length)))
    throw eventProblem(name, `${unable} because the related API does not define any Authorizers.`);
  if (!isNamed || !isObject(authorizers))
    throw eventProblem(
      name,
      `${unable}. The method authorizer must be a string with a corresponding dict entry in the api authorizer.`,
    );
  if (!Object.hasOwn(authorizers, which))
    throw eventProblem(name, `${unable} because it wasn't defined in the API's Authorizers.`);
}
