import type { DeepReadonly } from '@emu/core/service';
import type { ContextDataType, UserContextDataType } from '@emu/service-types/cognito-idp';
import { parseJson } from '@emu/wire';
import type { Client } from '../records.ts';

/** Origin of a request, as far as known. */
export interface RequestOrigin {
  readonly ip?: string | undefined;
  /** Device or browser of the user, from its user agent. */
  readonly deviceName?: string | undefined;
  /** Time zone of the user's device, for example `-05:00`. */
  readonly timezone?: string | undefined;
}

interface Given {
  ContextData?: DeepReadonly<ContextDataType> | undefined;
  UserContextData?: DeepReadonly<UserContextDataType> | undefined;
}

/** Context data of a device, collected by the client library. */
interface EncodedContext {
  UserAgent?: unknown;
  DeviceName?: unknown;
  ClientTimezone?: unknown;
}

/**
 * Returns the origin of a request, from the context data of an administrator's server or of the user's application. Its
 * IP address is used only if the client may pass such data.
 * @param peer address of the sender
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pool-settings-threat-protection.html
 */
export function originOf(given: Given, client: Client, peer: string | undefined): RequestOrigin {
  const { ContextData: server, UserContextData: user } = given;
  const encoded = decoded(server?.EncodedData ?? user?.EncodedData);
  const header = server?.HttpHeaders?.find(({ headerName }) => headerName?.toLowerCase() === 'user-agent')?.headerValue;
  return {
    ip: server?.IpAddress ?? (client.propagateContext ? user?.IpAddress : undefined) ?? peer,
    deviceName: header ?? text(encoded.DeviceName) ?? text(encoded.UserAgent),
    timezone: text(encoded.ClientTimezone),
  };
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Decodes base64 of `{"payload": "{\"contextData\": {…}}"}`; invalid data is ignored, since it is only a hint. */
function decoded(data: string | undefined): EncodedContext {
  if (data === undefined) return {};
  try {
    const { payload } = parseJson(Buffer.from(data, 'base64').toString()) as { payload?: string };
    const { contextData } = parseJson(payload ?? '{}') as { contextData?: EncodedContext };
    return contextData ?? {};
  } catch {
    return {};
  }
}
