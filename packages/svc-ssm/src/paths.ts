/** Name prefix of AWS's bucket for document attachments. */
export const ATTACHMENT_BUCKET = 'aws-ssm-document-attachments-';
/** Name prefix of AWS's bucket for patch baseline snapshots. */
export const SNAPSHOT_BUCKET = 'patch-baseline-snapshot-';
/** Path prefix of session data channels. */
export const DATA_CHANNEL = '/v1/data-channel/';
