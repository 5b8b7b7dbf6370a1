import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, firstFocus } from '../../ui/dialog.tsx'

/** Asks before a chat is ended, which cannot be undone. */
export const EndDialog = (props: { visitor: string; onEnd: () => void; onClose: () => void }) => (
  <Dialog title="End this chat?" onClose={props.onClose}>
    <p>{props.visitor} can still read the chat, but it will be closed. This cannot be undone.</p>
    <DialogActions>
      <Button onClick={props.onEnd}>End chat</Button>
      <Button ref={firstFocus} look="outline" onClick={props.onClose}>
        Keep chatting
      </Button>
    </DialogActions>
  </Dialog>
)
