exports.hello = async ({ name = 'world' }) => ({ statusCode: 200, body: `hello ${name}` });
