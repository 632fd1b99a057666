// Numbers arrive as strings from CloudFormation.
exports.onEvent = async ({ RequestType, PhysicalResourceId, ResourceProperties }) => ({
  PhysicalResourceId: PhysicalResourceId ?? 'made',
  Data: { Counted: `${typeof ResourceProperties.Count} ${ResourceProperties.Count}`, RequestType },
});
exports.isComplete = async () => ({ IsComplete: true });
