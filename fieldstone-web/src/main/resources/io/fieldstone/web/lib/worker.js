// The script of a Worker: connections, decoding and hashing. The page has the sink.

import { serve } from './transfer-server.js';

serve(/** @type {any} */ (self));
