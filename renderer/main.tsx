import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import * as z from 'zod/mini';
import { createBridgeHttp } from './connection/bridge-http.ts';
import { openBridgeSocket } from './connection/socket.ts';
import { takeTicket } from './connection/window-ticket.ts';
import { browserClock, newUuid } from './ports.ts';
import { createWindow } from './store/create-window.ts';
import { createKept } from './store/kept.ts';
import { textFor } from './text/language.ts';
import { watchComposition } from './ui/composing.ts';
import { createViewMemory } from './ui/view-memory.ts';
import { WindowProvider } from './ui/window-context.tsx';
import './ui/tokens.css';
import './ui/base.css';
import './ui/controls.css';
import { Shell } from './views/shell/shell.tsx';

// The page's policy forbids compiling text to code; without this zod would try once, and the browser would report it.
z.config({ jitless: true });

const text = textFor(navigator.language);
document.documentElement.lang = text.language;
watchComposition(window);

const kairos = createWindow({
  http: createBridgeHttp(window.fetch.bind(window)),
  open: (events) => openBridgeSocket(location, events),
  clock: browserClock,
  newUuid,
  kept: createKept(localStorage),
});
void kairos.start(takeTicket(location, history));

// A fresh address put into this same tab changes only the fragment: no page is loaded, but the ticket is there.
window.addEventListener('hashchange', () => {
  if (kairos.store.getState().link.kind === 'outdated') return location.reload();
  const ticket = takeTicket(location, history);
  if (ticket !== null) void kairos.start(ticket);
});

const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <WindowProvider window={kairos} memory={createViewMemory()} text={text}>
        <Shell />
      </WindowProvider>
    </StrictMode>,
  );
}
