// Listens to the events of the server, and shows each snapshot.

import {setAttribute, setText} from './dom.js';
import {Flow} from './flow.js';
import {showMap} from './map.js';
import {showObjects} from './objects.js';
import {Overview} from './overview.js';
import {Rates, showIncidents, showPeers} from './peers.js';

const overview = new Overview();
const flow = new Flow();
const rates = new Rates();
const live = document.getElementById('live');

function setState(state, text) {
  setAttribute(live, 'data-state', state);
  setText(live, text);
}

function show(snapshot) {
  rates.add(snapshot);
  overview.show(snapshot);
  flow.show(snapshot);
  showMap(snapshot);
  showObjects(snapshot);
  showPeers(snapshot);
  showIncidents(snapshot);
  setAttribute(document.body, 'data-millis', snapshot.millis);
}

let events = null;
let retry = 0;

function listen() {
  clearTimeout(retry);
  events?.close();
  events = new EventSource('/events');
  events.onmessage = event => {
    setState('live', 'live');
    show(JSON.parse(event.data));
  };
  events.onerror = () => {
    setState('lost', 'no answer; trying again');
    if (events.readyState === EventSource.CLOSED) {
      retry = setTimeout(listen, 5000); // after an error of HTTP the browser does not try again
    }
  };
}

// A hidden page costs the server nothing.
document.addEventListener('visibilitychange', () => {
  if (document.hidden) {
    clearTimeout(retry);
    events?.close();
    setState('paused', 'paused');
  } else {
    listen();
  }
});

listen();
