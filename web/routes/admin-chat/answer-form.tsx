import { type KeyboardEvent, useRef, useState } from 'react'
import type { ChatReply } from '../../../events/settings/replies.ts'
import { FileButton } from '../../chat/parts/file-button.tsx'
import { MessageForm } from '../../chat/parts/message-form.tsx'
import { UnfilledQuestion, useUnfilledQuestion } from '../../staff/forms/unfilled-question.tsx'
import { Button } from '../../ui/button.tsx'
import { isComposing } from '../../ui/composing.ts'
import { QuickReplyIcon } from '../../ui/icons.tsx'
import { colour, panel, shadow, space, type, unseen } from '../../ui/theme.ts'
import { tipAbove } from '../../ui/tooltip.ts'
import { calledFor, matchingReplies, withReply } from './canned.ts'

export const ANSWER_ID = 'answer'

const LIST_ID = 'canned-replies'
const optionId = (index: number) => `canned-reply-${index}`

const CannedList = (props: { replies: ChatReply[]; current: number; onChoose: (reply: ChatReply) => void }) => (
  <div
    css={{
      position: 'absolute',
      right: space.snug,
      bottom: 'calc(100% + 0.25rem)',
      left: space.snug,
      zIndex: 5,
      overflow: 'hidden',
      ...panel,
      boxShadow: shadow.floating,
    }}
  >
    {props.replies.length === 0 && (
      <p css={{ padding: space.snug, color: colour.soft, fontSize: type.small }}>No matching reply.</p>
    )}
    {/* The input keeps the focus: the current option is its active descendant. */}
    <div id={LIST_ID} role="listbox" aria-label="Canned replies" css={{ maxHeight: '17rem', overflowY: 'auto' }}>
      {props.replies.map((reply, index) => (
        <div
          key={reply.shortcut}
          id={optionId(index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === props.current}
          ref={(option) => {
            if (index === props.current) option?.scrollIntoView({ block: 'nearest' })
          }}
          onMouseDown={(event) => {
            event.preventDefault()
            props.onChoose(reply)
          }}
          css={{
            padding: `${space.tight} ${space.snug}`,
            cursor: 'pointer',
            ':hover': { background: colour.sunk },
            '&[aria-selected="true"]': { background: colour.accentWash },
          }}
        >
          <span css={{ fontWeight: 600, overflowWrap: 'anywhere' }}>/{reply.shortcut}</span>
          <span
            css={{
              display: '-webkit-box',
              overflow: 'hidden',
              color: colour.soft,
              fontSize: type.small,
              overflowWrap: 'anywhere',
              WebkitLineClamp: 2,
              WebkitBoxOrient: 'vertical',
            }}
          >
            {reply.text}
          </span>
        </div>
      ))}
    </div>
  </div>
)

type AnswerFormProps = {
  /** Whether there is a connection to send files by. Replies wait for one. */
  isConnected: boolean
  draft: string
  replies: readonly ChatReply[]
  onFocus: () => void
  onDraft: (draft: string) => void
  onSend: (message: string) => void
  /** Accepts files; undefined if files are not accepted. */
  onFiles: ((files: File[]) => void) | undefined
}

type CannedOptions = Pick<AnswerFormProps, 'draft' | 'replies' | 'onDraft'> & { focusInput: () => void }

/** The list of canned replies: open or closed, filtered by the text after the `/`, with one current option. */
const useCannedReplies = ({ draft, replies: all, onDraft, focusInput }: CannedOptions) => {
  // Opened by the button, on any draft; by a typed `/`, unless Escape has closed it for this draft.
  const [openedOn, setOpenedOn] = useState<string>()
  const [closedOn, setClosedOn] = useState<string | undefined>(draft)
  const [at, setAt] = useState(0)

  const term = calledFor(draft)
  const isOpen = openedOn === draft || (term !== undefined && closedOn !== draft)
  const replies = matchingReplies(all, term ?? '')
  const current = Math.min(at, replies.length - 1)

  const close = () => {
    setOpenedOn(undefined)
    setClosedOn(draft)
  }
  const choose = (reply: ChatReply) => {
    const text = withReply(draft, reply.text)
    onDraft(text)
    setOpenedOn(undefined)
    setAt(0)
    focusInput()
  }
  const toggle = () => {
    if (isOpen) close()
    else {
      setOpenedOn(draft)
      setClosedOn(undefined)
    }
    setAt(0)
    focusInput()
  }
  const steer = (event: KeyboardEvent) => {
    if (!isOpen || isComposing(event.nativeEvent)) return
    const reply = replies[current]
    const isChoice = (event.key === 'Enter' && !event.shiftKey) || (event.key === 'Tab' && !event.shiftKey)
    if (event.key === 'ArrowDown') setAt((current + 1) % Math.max(replies.length, 1))
    else if (event.key === 'ArrowUp') setAt((current - 1 + replies.length) % Math.max(replies.length, 1))
    else if (event.key === 'Escape') close()
    else if (isChoice && reply) choose(reply)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  /** The draft has changed: the first option is current again. */
  const rewind = () => {
    setAt(0)
    setOpenedOn(undefined)
  }
  return { isOpen, replies, current, choose, toggle, steer, rewind }
}

/**
 * The form in which staff write a reply. A `/` at its start, or the button, opens the canned replies. A text area may
 * not have the role of combobox: it stays a text box that names its list and the current option in it.
 */
export const AnswerForm = (props: AnswerFormProps) => {
  const { draft, onDraft, onFiles } = props
  const box = useRef<HTMLDivElement>(null)
  const focusInput = () => box.current?.querySelector('textarea')?.focus()
  const { isOpen, replies, current, choose, toggle, steer, rewind } = useCannedReplies({ ...props, focusInput })
  const unfilled = useUnfilledQuestion()
  const found = replies.length === 1 ? '1 canned reply' : `${replies.length} canned replies`
  return (
    <div ref={box} data-foot="">
      <UnfilledQuestion
        question={unfilled.question}
        onSend={() => {
          unfilled.allow()
          box.current?.querySelector('form')?.requestSubmit()
        }}
      />
      <MessageForm
        id={ANSWER_ID}
        placeholder="Type your response..."
        maxLines={8}
        isBoxed
        draft={draft}
        onDraft={(text) => {
          rewind()
          unfilled.forget()
          onDraft(text)
        }}
        onSend={(message) => unfilled.mayGo(message) && props.onSend(message)}
        onFiles={props.isConnected ? onFiles : undefined}
        input={{
          onFocus: props.onFocus,
          onKeyDown: steer,
          'aria-autocomplete': 'list',
          'aria-haspopup': 'listbox',
          ...(isOpen && {
            'aria-controls': LIST_ID,
            ...(replies.length > 0 && { 'aria-activedescendant': optionId(current) }),
          }),
        }}
        above={isOpen && <CannedList replies={replies} current={current} onChoose={choose} />}
        isCrowded={onFiles !== undefined}
        aside={
          <div css={{ display: 'flex', gap: space.tight }}>
            {onFiles && <FileButton formId={ANSWER_ID} disabled={!props.isConnected} onFiles={onFiles} />}
            <Button
              look="outline"
              aria-label="Canned replies"
              aria-expanded={isOpen}
              data-tip="Canned replies (/)"
              onMouseDown={(event) => event.preventDefault()}
              onClick={toggle}
              css={{ ...tipAbove, paddingInline: space.snug }}
            >
              <QuickReplyIcon />
            </Button>
          </div>
        }
      />
      <p role="status" css={unseen}>
        {isOpen && `${found}. Choose with the arrow keys and Enter.`}
      </p>
    </div>
  )
}
