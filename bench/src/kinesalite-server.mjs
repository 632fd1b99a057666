// Second reference of Kinesis: kinesalite in memory. Usage: node kinesalite-server.mjs <port>
import kinesalite from 'kinesalite';

kinesalite({ createStreamMs: 0, deleteStreamMs: 0, updateStreamMs: 0 }).listen(Number(process.argv[2]), '127.0.0.1');
