// Second reference of DynamoDB: dynalite in memory. Usage: node dynalite-server.mjs <port>
import dynalite from 'dynalite';

dynalite({ createTableMs: 0, deleteTableMs: 0 }).listen(Number(process.argv[2]), '127.0.0.1');
