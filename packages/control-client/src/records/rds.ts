import type { AccountAndRegionQuery, Located, Timestamp } from './common.ts';

/** A database instance. */
export interface RdsInstance extends Located {
  dbInstanceIdentifier: string;
  dbInstanceArn: string;
  dbiResourceId: string;
  engine: string;
  engineVersion: string;
  dbInstanceClass: string;
  status: string;
  masterUsername: string;
  dbName?: string;
  endpoint?: { address: string; port: number };
  /** Id of its container; absent if none runs. */
  containerId?: string;
  createdAt: Timestamp;
}

/** The instance of the calling database extension. */
export interface RdsExtensionSource extends AccountAndRegionQuery {
  dbInstanceIdentifier: string;
}

/** A function call from a database. */
export interface RdsLambdaInvokeRequest extends RdsExtensionSource {
  /** Name or ARN. */
  functionName: string;
  payload?: unknown;
  /** `RequestResponse` by default. */
  invocationType?: 'RequestResponse' | 'Event' | 'DryRun';
  /** Version or alias. */
  qualifier?: string;
}

/** Response of the function, in the columns of the extension. */
export interface RdsLambdaInvokeResult {
  statusCode: number;
  payload?: unknown;
  executedVersion?: string;
  functionError?: string;
  logResult?: string;
}

/** Fills a table from an object. */
export interface RdsS3ImportRequest extends RdsExtensionSource {
  database?: string;
  table: string;
  /** Columns in the order of the data; by default all columns of the table. */
  columns?: string[];
  bucket: string;
  key: string;
  /** Options of the engine's loader, e.g. `(FORMAT csv)`. */
  options?: string;
}

/** Export of the rows of a query to an object. */
export interface RdsS3ExportRequest extends RdsExtensionSource {
  database?: string;
  query: string;
  bucket: string;
  key: string;
  /** Options of the engine's writer, e.g. `format csv`. */
  options?: string;
}
