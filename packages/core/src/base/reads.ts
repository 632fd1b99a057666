/** How operations that only read are named; those that hand out tokens make them. */
const READ =
  /^(?!Get\w*Token$)(?:(?:Get|List|Describe|BatchGet|Check|Decode|Head|Lookup|Search|Select|Simulate|TransactGet)[A-Z]|(?:Query|Scan|Encrypt|Decrypt|ReEncrypt|Sign|Verify|VerifyMac)$)/;

/** Whether an operation, told by its name, changes nothing that its caller would have to know is kept. */
export const readsOnly = (operation: string): boolean => READ.test(operation);
