import { modelsAnswerSchema } from '../../../shared/protocol/bridge.ts';
import { may } from '../../store/window-state.ts';
import { useAnswer } from '../../ui/use-answer.ts';
import { useText, useWindow } from '../../ui/window-context.tsx';

/** Models to choose from, by ref, with `chosen` among them whether it is listed or not. */
export function useModelOptions(chosen: string | null): readonly { value: string; label: string }[] {
  const text = useText();
  const isOwner = useWindow((state) => may(state, 'owner'));
  const { value } = useAnswer(isOwner ? '/models' : null, modelsAnswerSchema);
  const refs = new Set(['offline', ...(value?.models.map(({ ref }) => ref) ?? [])]);
  const usual = value === null ? [] : [{ value: '', label: text.views.session.usual(value.default.ref) }];
  if (chosen !== null) refs.add(chosen);
  const listed = [...refs].map((ref) => ({ value: ref, label: ref }));
  return chosen === null ? [...(usual.length > 0 ? usual : [{ value: '', label: '…' }]), ...listed] : listed;
}
