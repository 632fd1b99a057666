/** Prefixes of the names of read-only operations; operations that issue tokens create them. */
const READ =
  /^(?!Get\w*Token$)(?:(?:Get|List|Describe|BatchGet|Check|Decode|Head|Lookup|Search|Select|Simulate|TransactGet|Filter|Validate|Estimate)[A-Z]|(?:Query|Scan|GenerateRandom|GenerateMac|TestEventPattern|TestMetricFilter|Encrypt|Decrypt|ReEncrypt|Sign|Verify|VerifyMac)$)/;

/** Whether an operation, by its name, is read-only, so that its response need not wait for a write. */
export const readsOnly = (operation: string): boolean => READ.test(operation);
