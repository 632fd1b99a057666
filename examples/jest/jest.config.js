/** Modules are used as they are, without a transformation. */
export default { testEnvironment: 'node', transform: {} };
