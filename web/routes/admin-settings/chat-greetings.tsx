import { useFieldArray } from 'react-hook-form'
import * as v from 'valibot'
import { chatGreeting, FEW_GREETINGS, hasOnePerPage, ONE_PER_PAGE } from '../../../events/settings/chat-greetings.ts'
import { SITE_PAGES } from '../../../events/settings/chat-page-names.ts'
import type { Settings } from '../../../events/settings/wire.ts'
import { CheckField, SelectField, TextAreaField, TextField } from '../../ui/form/field.tsx'
import { from, space } from '../../ui/theme.ts'
import { LEVEL_WITH_FIELDS, ListRows, RemoveRow } from './list-rows.tsx'
import { SettingsForm } from './settings-form.tsx'
import { typedNumber } from './typed-number.ts'
import { type PartSection, type SettingsFormProps, useSettingsForm } from './use-settings-form.ts'

const PAGE_CHOICES = SITE_PAGES.map(({ path, name }) => ({ value: path, label: name }))

/** `chatGreetingsForm` for typed values. */
const fieldsForm = v.object({
  greetings: v.pipe(
    v.array(
      v.object({
        ...chatGreeting.entries,
        page: v.pipe(v.string(), chatGreeting.entries.page),
        afterSeconds: v.pipe(typedNumber, chatGreeting.entries.afterSeconds),
      }),
    ),
    v.maxLength(...FEW_GREETINGS),
    v.check((greetings) => hasOnePerPage(greetings), ONE_PER_PAGE),
  ),
})

const valuesOf = ({ chatGreetings }: Settings) => ({
  greetings: chatGreetings.map((greeting) => ({ ...greeting, afterSeconds: String(greeting.afterSeconds) })),
})

const EMPTY = { page: '', afterSeconds: '30', text: '', isAnyTime: false }

const GreetingsList = ({ settings: { chatGreetings } }: { settings: Settings }) =>
  chatGreetings.length === 0 ? (
    <p>None.</p>
  ) : (
    <dl css={{ display: 'grid', gap: space.base }}>
      {chatGreetings.map(({ page, afterSeconds, text, isAnyTime }) => (
        <div key={page}>
          <dt css={{ fontWeight: 600 }}>
            {PAGE_CHOICES.find(({ value }) => value === page)?.label ?? page}, after {afterSeconds} s
            {isAnyTime && ', at any time'}
          </dt>
          <dd css={{ overflowWrap: 'anywhere' }}>{text}</dd>
        </div>
      ))}
    </dl>
  )

const ChatGreetingsForm = (props: SettingsFormProps) => {
  const form = useSettingsForm(props, CHAT_GREETINGS, fieldsForm, valuesOf)
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'greetings' })
  return (
    <SettingsForm form={form}>
      <ListRows
        id="greetings"
        rows={fields}
        isLined
        none="No greetings yet."
        problem={form.formState.errors.greetings}
        add="Add a greeting"
        onAdd={() => append(EMPTY)}
        look={{ alignItems: 'start', [from.medium]: { gridTemplateColumns: 'minmax(0, 1fr) 9rem auto' } }}
      >
        {(index) => (
          <>
            <SelectField
              id={`greeting-${index}-page`}
              label="Page"
              choices={PAGE_CHOICES}
              {...form.field(`greetings.${index}.page`)}
            />
            <TextField
              id={`greeting-${index}-after`}
              label="After seconds"
              inputMode="numeric"
              autoComplete="off"
              {...form.field(`greetings.${index}.afterSeconds`)}
            />
            <RemoveRow
              label={`Remove greeting ${index + 1}`}
              onClick={() => remove(index)}
              css={{ [from.medium]: { marginTop: LEVEL_WITH_FIELDS } }}
            />
            <div css={{ display: 'grid', gap: space.snug, [from.medium]: { gridColumn: '1 / -1' } }}>
              <TextAreaField
                id={`greeting-${index}-text`}
                label="Message"
                rows={2}
                {...form.field(`greetings.${index}.text`)}
              />
              <CheckField
                id={`greeting-${index}-any-time`}
                label="Outside support hours too"
                {...form.field(`greetings.${index}.isAnyTime`)}
              />
            </div>
          </>
        )}
      </ListRows>
    </SettingsForm>
  )
}

export const CHAT_GREETINGS: PartSection = {
  id: 'chat-greetings',
  noun: 'chat greetings',
  intro: 'A message next to the chat button, on the pages you choose. Clicking it opens the chat with it.',
  Form: ChatGreetingsForm,
  Shown: GreetingsList,
}
