import { useRef, useState } from 'react'
import { type ChatFile, FILE_TYPES, MAX_FILE_NAME_CHARACTERS } from '../../events/chat-file.ts'
import { Button } from '../ui/button.tsx'
import { PaperclipIcon } from '../ui/icons.tsx'
import { colour, radius, space, type } from '../ui/theme.ts'
import { FileRefusedError, type FileStore, storeFile } from './file-transfer.ts'

/** The end of a name tells its type: a long one loses what is before. */
const shortName = (name: string) => name.trim().toWellFormed().slice(-MAX_FILE_NAME_CHARACTERS) || 'File'

/** Chooses a file, stores it in the chat, and says how far it has come. */
export const FileButton = (props: {
  store: FileStore | undefined
  disabled: boolean
  onStored: (name: string, file: ChatFile) => void
}) => {
  const { store } = props
  const input = useRef<HTMLInputElement>(null)
  const [sending, setSending] = useState<string>()
  const [refusal, setRefusal] = useState<string>()

  const send = async (chosen: File) => {
    if (!store) return
    const name = shortName(chosen.name)
    setRefusal(undefined)
    setSending(name)
    try {
      props.onStored(name, await storeFile(store, chosen))
    } catch (error) {
      if (!(error instanceof FileRefusedError)) throw error
      setRefusal(`${name} was not sent: ${error.message}`)
    } finally {
      setSending(undefined)
    }
  }
  const note = sending ? `Sending ${sending}` : refusal
  return (
    <>
      <Button
        look="outline"
        aria-label="Send a file"
        title="Send an image or a PDF, up to 5 MB"
        disabled={props.disabled || !store || sending !== undefined}
        onClick={() => input.current?.click()}
        css={{ paddingInline: space.snug }}
      >
        <PaperclipIcon />
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={FILE_TYPES.join()}
        onChange={(event) => {
          const [chosen] = event.target.files ?? []
          event.target.value = ''
          if (chosen) send(chosen)
        }}
      />
      <p
        role="status"
        css={{
          position: 'absolute',
          right: space.snug,
          bottom: '100%',
          left: space.snug,
          padding: note ? `${space.tight} ${space.snug}` : 0,
          borderRadius: radius.control,
          background: refusal ? colour.badWash : colour.sunk,
          color: refusal ? colour.bad : colour.ink,
          fontSize: type.small,
          lineHeight: 1.4,
          overflowWrap: 'anywhere',
        }}
      >
        {note}
      </p>
    </>
  )
}
