import type { CSSObject } from '@emotion/react'
import {
  type ComponentProps,
  type FocusEvent,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
} from 'react'
import { MAX_MESSAGE_CHARACTERS } from '../../../events/chat/chat.ts'
import { Button } from '../../ui/button.tsx'
import { isComposing } from '../../ui/composing.ts'
import { control } from '../../ui/form/control.ts'
import { SendIcon } from '../../ui/icons.tsx'
import { colour, radius, space } from '../../ui/theme.ts'
import { pastedFiles } from './file-drop.tsx'

/** From this length on, the writer is shown how much is left. */
const COUNTED_FROM_CHARACTERS = MAX_MESSAGE_CHARACTERS - 400

const onPhone = '@media (max-width: 30rem)'

const countFormat = new Intl.NumberFormat('en-US')

const lengthNote = (characters: number) => {
  if (characters < COUNTED_FROM_CHARACTERS) return undefined
  const count = `${countFormat.format(characters)} of ${countFormat.format(MAX_MESSAGE_CHARACTERS)} characters`
  return characters > MAX_MESSAGE_CHARACTERS ? `Too long to send: ${count}` : count
}

type MessageFormProps = {
  id: string
  placeholder: string
  /** Whether the form is disabled: nothing can be written or sent. */
  isLocked?: boolean
  draft: string
  /** Whether the input takes the focus as soon as it is enabled, unless the focus has moved elsewhere since then. */
  takesFocus?: boolean
  /** More of the input; a key that its `onKeyDown` has taken does nothing else. */
  input?: ComponentProps<'textarea'>
  /** The content above the input, and next to it, within the form. */
  above?: ReactNode
  aside?: ReactNode
  /** The height of the input at most, in lines. */
  maxLines?: number
  /** Whether the input and the buttons next to it are in one box. */
  isBoxed?: boolean
  /** Whether there is so much next to the input that it goes below it on a phone. */
  isCrowded?: boolean
  /** Accepts pasted files, if files are allowed. */
  onFiles?: ((files: File[]) => void) | undefined
  onDraft: (draft: string) => void
  onSend: (message: string) => void
}

/** Disabling an input takes its focus away: the writer gets it back with the connection. */
const useHeldFocus = (
  input: RefObject<HTMLTextAreaElement | null>,
  { isLocked = false, takesFocus = false }: Pick<MessageFormProps, 'isLocked' | 'takesFocus'>,
) => {
  const hadFocus = useRef(takesFocus)
  const isFirst = useRef(true)
  useEffect(() => {
    const isFree = isFirst.current || !document.activeElement?.matches('a, button, input, select, textarea')
    isFirst.current = false
    if (!isLocked && hadFocus.current && isFree) input.current?.focus()
  }, [input, isLocked])
  return {
    taken: () => {
      hadFocus.current = true
    },
    left: ({ target }: FocusEvent<HTMLTextAreaElement>) => {
      if (!target.disabled) hadFocus.current = false
    },
  }
}

const LengthNote = ({ id, note, isTooLong }: { id: string; note: string | undefined; isTooLong: boolean }) => (
  <p
    id={id}
    role="status"
    css={{
      gridColumn: '1 / -1',
      // an empty row would still have its gap
      ...(!note && { position: 'absolute' }),
      color: isTooLong ? colour.bad : colour.soft,
      fontSize: '0.8125rem',
    }}
  >
    {note}
  </p>
)

/** One box with the input and its buttons, which are icons without borders. */
const boxed: CSSObject = {
  margin: space.snug,
  padding: space.hair,
  border: `1px solid ${colour.edge}`,
  borderRadius: radius.control,
  ':has(textarea:focus-visible)': { outline: `2px solid ${colour.accent}`, outlineOffset: -1 },
  '&& textarea': { border: 0, background: 'none', outline: 'none', paddingBlock: '0.375rem' },
  '&& button:not([type=submit])': { borderColor: 'transparent' },
}

/** The form for a chat message. Enter sends, Shift and Enter starts a new line. */
export const MessageForm = (props: MessageFormProps) => {
  const input = useRef<HTMLTextAreaElement>(null)
  const focus = useHeldFocus(input, props)

  const message = props.draft.trim().toWellFormed()
  const note = lengthNote(message.length)
  const isTooLong = message.length > MAX_MESSAGE_CHARACTERS

  const send = (event: FormEvent) => {
    event.preventDefault()
    if (message && !isTooLong && !props.isLocked) props.onSend(message)
    input.current?.focus()
  }
  const sendOnEnter = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    props.input?.onKeyDown?.(event)
    if (event.isDefaultPrevented() || event.key !== 'Enter' || event.shiftKey || isComposing(event.nativeEvent)) return
    event.preventDefault()
    event.currentTarget.form?.requestSubmit()
  }
  return (
    <form
      onSubmit={send}
      css={{
        display: 'grid',
        gridTemplateColumns: props.aside ? '1fr auto auto' : '1fr auto',
        position: 'relative',
        alignItems: 'end',
        gap: space.tight,
        flex: 'none',
        padding: space.snug,
        borderTop: `1px solid ${colour.line}`,
        ...(props.isBoxed && boxed),
        ...(props.isCrowded && { [onPhone]: { gridTemplateColumns: '1fr auto', textarea: { gridColumn: '1 / -1' } } }),
      }}
    >
      {props.above}
      <textarea
        {...props.input}
        ref={input}
        id={props.id}
        aria-label={props.placeholder}
        aria-invalid={isTooLong || undefined}
        aria-describedby={note && `${props.id}-length`}
        placeholder={props.placeholder}
        autoComplete="off"
        enterKeyHint="send"
        dir="auto"
        rows={1}
        value={props.draft}
        disabled={props.isLocked}
        onFocus={(event) => {
          props.input?.onFocus?.(event)
          focus.taken()
        }}
        onBlur={focus.left}
        onKeyDown={sendOnEnter}
        onPaste={(event) => pastedFiles(event, props.onFiles)}
        onChange={(event) => props.onDraft(event.target.value)}
        css={[
          control,
          {
            display: 'block',
            minWidth: 0,
            maxHeight: `calc(${props.maxLines ?? 4}lh + 1.5rem)`,
            paddingBlock: '0.6875rem',
            resize: 'none',
            fieldSizing: 'content',
            overflowWrap: 'anywhere',
            ':disabled': { background: colour.sunk, cursor: 'not-allowed' },
          },
        ]}
      />
      {props.aside}
      <Button type="submit" aria-label="Send" disabled={props.isLocked} css={{ paddingInline: space.base }}>
        <SendIcon />
      </Button>
      <LengthNote id={`${props.id}-length`} note={note} isTooLong={isTooLong} />
    </form>
  )
}
