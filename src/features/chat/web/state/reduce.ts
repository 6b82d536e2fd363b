import { type ChatAction, type ChatState, emptyChat, firstState } from './chat-state.ts';
import { begun, newest, restored, settled, titled, withCredits } from './rows.ts';
import {
  addNewer,
  addOlder,
  carryOver,
  changeTurn,
  finish,
  named,
  refused,
  replace,
  send,
  show,
  signedOut,
} from './turns.ts';

/** All changes of the page's state. Texts of running replies are outside of it, in their LiveText. */
export function reduce(state: ChatState, action: ChatAction): ChatState {
  switch (action.type) {
    case 'loaded': {
      // A guest's message may wait under this id: whichever tab sends it after the sign-in, this one shows its chat.
      const stillEmpty = state.me === null && !state.open.stored && state.open.turns.length === 0;
      const next = firstState(action.data, stillEmpty ? state.open.id : action.newId);
      const open = carryOver(state.open, next.open);
      const same = open.id === state.open.id;
      const { chats, next: more } =
        next.me?.id === state.me?.id ? newest(state, { type: 'newest', ...action.data }) : next;
      const owner = next.owner ?? state.owner;
      const stays = state.owner === null || owner === state.owner;
      return {
        ...next,
        owner,
        chats,
        next: more,
        open,
        dialog: stays ? state.dialog : null,
        editing: same ? state.editing : null,
      };
    }
    case 'fresh':
      return {
        ...state,
        open: emptyChat(action.id, action.assistant),
        missing: false,
        gone: false,
        notice: null,
        editing: null,
      };
    case 'sending':
      return send(state, action);
    case 'replacing':
      return replace(state, action);
    case 'following':
      return changeTurn(state, action.key, (turn) => ({ ...turn, live: action.live }));
    case 'started': {
      const isOpen = state.open.id === action.data.chat.id;
      return {
        ...state,
        ...begun(state, action),
        open: isOpen ? named(state.open, action) : state.open,
      };
    }
    case 'refused': {
      const back = refused(state, action);
      const gone = action.notice?.code === 'not_found' && state.open.stored;
      return gone ? { ...back, gone, notice: null } : back;
    }
    case 'stopping':
      return changeTurn(state, action.reply, (turn) => ({ ...turn, stopping: true }));
    case 'ended':
      return {
        ...finish(state, action),
        me: withCredits(state.me, action.data.credits),
        chats: settled(state.chats, action),
      };
    case 'signed-out':
      return signedOut(state, action);
    case 'older':
      return addOlder(state, action);
    case 'newer':
      return addNewer(state, action);
    case 'view':
      return show(state, action);
    case 'page':
      if (action.before !== state.next) return state;
      return { ...state, chats: [...state.chats, ...action.chats], next: action.next };
    case 'newest':
      return newest(state, action);
    case 'titled':
      return titled(state, action);
    case 'removed':
      return { ...state, chats: state.chats.filter((row) => row.id !== action.chatId) };
    case 'restored':
      return {
        ...state,
        chats: restored(state.chats, action.row),
        gone: state.gone && action.row.id !== state.open.id,
      };
    case 'me':
      return { ...state, me: action.me };
    case 'lost':
      return { ...state, me: null };
    case 'edit':
      return {
        ...state,
        editing: action.key,
        notice: action.key === null && state.notice?.edit !== undefined ? null : state.notice,
      };
    case 'dialog':
      return { ...state, dialog: action.dialog };
    case 'notice':
      return { ...state, notice: action.notice };
  }
}
