/** Begins the name of the bucket in which AWS keeps attachments of documents. */
export const ATTACHMENT_BUCKET = 'aws-ssm-document-attachments-';
/** Begins the name of the bucket from which nodes get snapshots of their patch baselines. */
export const SNAPSHOT_BUCKET = 'patch-baseline-snapshot-';
/** Begins the paths of the data channels of sessions. */
export const DATA_CHANNEL = '/v1/data-channel/';
