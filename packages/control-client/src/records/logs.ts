import type { Located, Timestamp } from './common.ts';

/** Findings to inject. */
export interface LogsInjectAnomaliesRequest {
  /** ARN of the detector; this or `logGroupName` is required. */
  anomalyDetectorArn?: string;
  /** Selects the detector of this log group. */
  logGroupName?: string;
  anomalies: {
    description: string;
    patternString: string;
    /** `HIGH` by default. */
    priority?: 'HIGH' | 'MEDIUM' | 'LOW';
    /** Current time by default. */
    firstSeen?: Timestamp;
    lastSeen?: Timestamp;
    logSamples?: { timestamp: Timestamp; message: string }[];
  }[];
}

/** A delivery with its source and configuration. */
export interface LogsDeliveryConfig extends Located {
  deliveryId: string;
  deliveryArn: string;
  deliverySourceName: string;
  deliveryDestinationArn: string;
  /** Log type of the delivery source. */
  logType: string;
  recordFields: string[];
  fieldDelimiter?: string;
  s3DeliveryConfiguration?: { suffixPath?: string; enableHiveCompatiblePath?: boolean };
  createdAt: Timestamp;
}

/** Fields of an index policy. */
export interface LogsFieldIndex {
  policyName: string;
  source: 'LOG_GROUP' | 'ACCOUNT';
  fields: string[];
  lastUpdatedAt: Timestamp;
}
