import { type DeepReadonly, notEmulated } from '@emu/core/service';
import type {
  ConnectionAuthorizationType,
  ConnectionAuthResponseParameters,
  ConnectionHttpParameters,
  UpdateConnectionAuthRequestParameters,
} from '@emu/service-types/events';
import { invalidParameter } from '../errors.ts';
import type { ConnectionAuth, ConnectionParameter, ConnectionRecord, InvocationParameters } from '../records.ts';
import { isHttpUrl } from './outgoing.ts';

interface GivenParameter {
  Key?: string | undefined;
  Value?: string | undefined;
  IsValueSecret?: boolean | undefined;
}

const parametersOf = (given: readonly GivenParameter[] | undefined): ConnectionParameter[] =>
  (given ?? []).map(({ Key: key = '', Value: value = '', IsValueSecret: secret = false }) => ({ key, value, secret }));

/** Returns parameters in stored form; undefined without parameters. */
export function invocationParameters(given: ConnectionHttpParameters | undefined): InvocationParameters | undefined {
  if (!given) return undefined;
  const { HeaderParameters, QueryStringParameters, BodyParameters } = given;
  return {
    ...(HeaderParameters && { header: parametersOf(HeaderParameters) }),
    ...(QueryStringParameters && { query: parametersOf(QueryStringParameters) }),
    ...(BodyParameters && { body: parametersOf(BodyParameters) }),
  };
}

const missing = (type: ConnectionAuthorizationType, name: string) =>
  invalidParameter('AuthParameters', `${name} must be specified for the authorization type ${type}.`);

/**
 * Returns the authentication parameters of a connection from a request and, for an update, from the current record.
 * @throws AwsError `ValidationException` for missing parameters; `NotImplemented` for private resources
 */
export function authOf(
  type: ConnectionAuthorizationType,
  given: UpdateConnectionAuthRequestParameters,
  before?: DeepReadonly<ConnectionAuth>,
): ConnectionAuth {
  if (given.ConnectivityParameters) throw notEmulated('ConnectivityParameters of events connections');
  switch (type) {
    case 'BASIC': {
      const old = before?.type === type ? before : undefined;
      const username = given.BasicAuthParameters?.Username ?? old?.username;
      const password = given.BasicAuthParameters?.Password ?? old?.password;
      if (username === undefined || password === undefined) throw missing(type, 'BasicAuthParameters');
      return { type, username, password };
    }
    case 'API_KEY': {
      const old = before?.type === type ? before : undefined;
      const name = given.ApiKeyAuthParameters?.ApiKeyName ?? old?.name;
      const value = given.ApiKeyAuthParameters?.ApiKeyValue ?? old?.value;
      if (name === undefined || value === undefined) throw missing(type, 'ApiKeyAuthParameters');
      return { type, name, value };
    }
    case 'OAUTH_CLIENT_CREDENTIALS': {
      const old =
        before?.type === type ? (structuredClone(before) as Extract<ConnectionAuth, { type: typeof type }>) : undefined;
      const parameters = given.OAuthParameters;
      const clientId = parameters?.ClientParameters?.ClientID ?? old?.clientId;
      const clientSecret = parameters?.ClientParameters?.ClientSecret ?? old?.clientSecret;
      const endpoint = parameters?.AuthorizationEndpoint ?? old?.endpoint;
      const method = parameters?.HttpMethod ?? old?.method;
      const http = invocationParameters(parameters?.OAuthHttpParameters) ?? old?.http;
      if (clientId === undefined || clientSecret === undefined || endpoint === undefined || method === undefined)
        throw missing(type, 'OAuthParameters');
      if (!isHttpUrl(endpoint)) throw invalidParameter('AuthorizationEndpoint');
      return { type, clientId, clientSecret, endpoint, method, ...(http && { http }) };
    }
  }
}

/** Returns parameters for a response, without secret values. */
function parametersForResponse(parameters: DeepReadonly<InvocationParameters>): ConnectionHttpParameters {
  const shown = (list: readonly ConnectionParameter[]) =>
    list.map(({ key, value, secret }) => ({ Key: key, ...(!secret && { Value: value }), IsValueSecret: secret }));
  const { header, query, body } = parameters;
  return {
    ...(header && { HeaderParameters: shown(header) }),
    ...(query && { QueryStringParameters: shown(query) }),
    ...(body && { BodyParameters: shown(body) }),
  };
}

/** Returns the authentication parameters for a response, without secrets. */
export function authForResponse({ auth, http }: DeepReadonly<ConnectionRecord>): ConnectionAuthResponseParameters {
  return {
    ...(auth?.type === 'BASIC' && { BasicAuthParameters: { Username: auth.username } }),
    ...(auth?.type === 'API_KEY' && { ApiKeyAuthParameters: { ApiKeyName: auth.name } }),
    ...(auth?.type === 'OAUTH_CLIENT_CREDENTIALS' && {
      OAuthParameters: {
        ClientParameters: { ClientID: auth.clientId },
        AuthorizationEndpoint: auth.endpoint,
        HttpMethod: auth.method,
        ...(auth.http && { OAuthHttpParameters: parametersForResponse(auth.http) }),
      },
    }),
    ...(http && { InvocationHttpParameters: parametersForResponse(http) }),
  };
}

function secretParameters({ header, query, body }: DeepReadonly<InvocationParameters>): object {
  const write = (list: readonly ConnectionParameter[]) =>
    list.map(({ key, value, secret }) => ({ key, value, is_value_secret: secret }));
  return {
    ...(header?.length && { header_parameters: write(header) }),
    ...(query?.length && { query_string_parameters: write(query) }),
    ...(body?.length && { body_parameters: write(body) }),
  };
}

/** Returns the contents of a connection's secret as JSON text. */
export function secretText(
  auth: DeepReadonly<ConnectionAuth>,
  http: DeepReadonly<InvocationParameters> | undefined,
): string {
  const invocation = http ? { invocation_http_parameters: secretParameters(http) } : {};
  switch (auth.type) {
    case 'BASIC':
      return JSON.stringify({ username: auth.username, password: auth.password, ...invocation });
    case 'API_KEY':
      return JSON.stringify({ api_key_name: auth.name, api_key_value: auth.value, ...invocation });
    case 'OAUTH_CLIENT_CREDENTIALS':
      return JSON.stringify({
        client_id: auth.clientId,
        client_secret: auth.clientSecret,
        authorization_endpoint: auth.endpoint,
        http_method: auth.method,
        ...(auth.http && { oauth_http_parameters: secretParameters(auth.http) }),
        ...invocation,
      });
  }
}
