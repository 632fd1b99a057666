import type { DeepReadonly } from '@emu/core';
import type { ContextDataType, UserContextDataType } from '@emu/service-types/cognito-idp';
import type { Client } from '../records.ts';

/** Where a request comes from, as far as anybody has said. */
export interface RequestOrigin {
  readonly ip?: string | undefined;
  /** The user's device or browser, as its user agent names it. */
  readonly deviceName?: string | undefined;
  /** Of the user's device, e.g. `-05:00`. */
  readonly timezone?: string | undefined;
}

interface Given {
  ContextData?: DeepReadonly<ContextDataType> | undefined;
  UserContextData?: DeepReadonly<UserContextDataType> | undefined;
}

/** What the library that collects context data says of a device. */
interface EncodedContext {
  UserAgent?: unknown;
  DeviceName?: unknown;
  ClientTimezone?: unknown;
}

/**
 * Where a request comes from: what an administrator's server says of its user, or the user's own application. Its word for
 * the address counts only where the client may pass such data on.
 * @param peer address of whoever sent the request
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

/** Reads base64 of `{"payload": "{\"contextData\": {…}}"}`; what is none says nothing, as the data is a hint only. */
function decoded(data: string | undefined): EncodedContext {
  if (data === undefined) return {};
  try {
    const { payload } = JSON.parse(Buffer.from(data, 'base64').toString()) as { payload?: string };
    const { contextData } = JSON.parse(payload ?? '{}') as { contextData?: EncodedContext };
    return contextData ?? {};
  } catch {
    return {};
  }
}
