/** A timestamp as an ISO 8601 string with offset, e.g. `2026-01-31T12:00:00.000Z`. */
export type Timestamp = string;

/** Tags of a resource by key. */
export type Tags = Record<string, string>;

/** Account and region of a resource, the first members of most records. */
export interface Located {
  /** 12-digit account id. */
  accountId: string;
  region: string;
}

/** The local URLs of a resource. */
export interface ResourceUrl extends Located {
  /** Name of the resource. */
  name: string;
  /** The URL, often with a host name below `localhost`, which resolves to this machine. */
  url: string;
  /** URL for clients that cannot set host names; absent if `url` has none. */
  pathUrl?: string;
}

/** Query of routes for one account and region, by default the server's own. */
export interface AccountAndRegionQuery {
  accountId?: string;
  region?: string;
}

/** A message or record attribute as in SQS and SNS. */
export interface MessageAttribute {
  /** `String`, `Number`, `Binary` or one of these with a custom label, e.g. `Number.int`. */
  dataType: string;
  stringValue?: string;
  /** Base64. */
  binaryValue?: string;
}
